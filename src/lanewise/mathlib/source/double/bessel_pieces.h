// SPDX-License-Identifier: Apache-2.0
// The Bessel functions of orders 0 and 1 below 10, by a polynomial a piece. J0 and J1 begin at 0; Y0 and Y1 where their
// logarithm has ceased to matter.
//
// A piece that has a zero is expanded about it, and the zero is given to 106 bits: its polynomial has no constant term,
// so that the error near the zero is as small against the function as elsewhere (Harrison, Fast and accurate Bessel
// function computation, 2009). All are minimax for the relative error, by the Remez algorithm on values of 50 digits.
#ifndef LANEWISE_MATHLIB_DOUBLE_BESSEL_PIECES_H
#define LANEWISE_MATHLIB_DOUBLE_BESSEL_PIECES_H

#include "arithmetic.h"

// From `start` to the start of the next piece, the function is the polynomial of x - center - center_tail.
typedef struct {
  double start, center, center_tail, coefficients[19];
} piece;

#define ON_PIECES(x, pieces) on_pieces(x, pieces, sizeof(pieces) / sizeof(*(pieces)))
PRIVATE double on_pieces(double x, const piece *pieces, i32 count) {
  i32 at = 0;
  for (i32 i = 1; i < count; i++)
    at += x >= pieces[i].start;
  double distance = (x - pieces[at].center) - pieces[at].center_tail;
  return polynomial(distance, pieces[at].coefficients, 19);
}

// An error of at most 2^-63 of the function.
static const piece J0[] = {
    {0, 0, 0,
     {0x1p0, 0, -0x1p-2, 0, 0x1.ffffffffffff7p-7, 0, -0x1.c71c71c71c323p-12, 0,
     0x1.c71c71c6fe377p-18, 0, -0x1.234567815ae1p-24, 0, 0x1.02e8593b1389cp-31, 0, -0x1.522916ff24f0ap-39, 0,
     0x1.51dd92ca875cbp-47, 0, -0x1.004ceabe72b3p-55}},
    {1.8, 0x1.33d152e971b4p1, -0x1.0f539d7da258ep-53,
     {0, -0x1.09cdb3655128p-1, 0x1.ba1deea029494p-4, 0x1.cfae864368d7p-5, -0x1.1bb1cbe1a4071p-7,
     -0x1.1f992590d12bdp-9, 0x1.15382ba06cc4ep-12, 0x1.6ed3b9f07eb4ap-15, -0x1.232c77d22986ep-18,
     -0x1.1cce30281e2f4p-21, 0x1.7ff9916842fbbp-25, 0x1.2951bd371877dp-28, -0x1.5c2c397de172p-32,
     -0x1.bdc44058babedp-36, 0x1.cd407ffd2a338p-40, 0x1.f6f4b3896b721p-44, -0x1.cfcd108d02f4p-48,
     -0x1.d2865d3669923p-52, 0x1.ef184fdbf1bf3p-56}},
    {4, 0x1.6148f5b2c2e45p2, 0x1.75054cd60a517p-54,
     {0, 0x1.5c6e60a097823p-2, -0x1.f8f72e7a848ep-6, -0x1.b2150cb41e8c1p-5, 0x1.2f7ffe90256bep-8,
     0x1.27e31fe9a9751p-9, -0x1.6f641f419593fp-13, -0x1.863f481a4062bp-15, 0x1.ad77d748b8f6ap-19,
     0x1.32e6d99b06b52p-21, -0x1.2da37e40f1f01p-25, -0x1.41d72cbe8468p-28, 0x1.1d043747b6998p-32,
     0x1.e2f2a239e3293p-36, -0x1.849a7dad1f89p-40, -0x1.1028697293865p-43, 0x1.916a5377a83c7p-48,
     0x1.d07cddfba7f67p-52, -0x1.482448b823027p-56}},
    {7.1, 0x1.14eb56cccdecap3, -0x1.51970714c7c25p-52,
     {0, -0x1.15f7977a772d4p-2, 0x1.00f7fcf183e0dp-6, 0x1.68b984ec6493cp-5, -0x1.48e63600d8412p-9,
     -0x1.0e0d60385a6eap-9, 0x1.d796052775533p-14, 0x1.7800bc5505fb1p-15, -0x1.3324842f5966p-19,
     -0x1.30e8cc359f696p-21, 0x1.ceda477aa4129p-26, 0x1.4582cadfef10ep-28, -0x1.cade0a40bb763p-33,
     -0x1.edaf8083a5f09p-36, 0x1.43bdae3ac5a47p-40, 0x1.180f5da575b2p-43, -0x1.556ef590e12abp-48,
     -0x1.e379899675ad8p-52, 0x1.d5ebe184e99a3p-57}},
};

// 2^-58.
static const piece J1[] = {
    {0, 0, 0,
     {0, 0x1p-1, 0, -0x1.ffffffffffff7p-5, 0, 0x1.555555555517ep-9, 0, -0x1.c71c71c6f21bap-15, 0,
     0x1.6c16c15d679cdp-21, 0, -0x1.845c844d6938p-28, 0, 0x1.27e3a7c25293p-35, 0, -0x1.51ce79cf64ff1p-43, 0,
     0x1.1f23811432065p-51, 0}},
    {1.9, 0x1.ea75575af6f09p1, -0x1.60155a9d1b256p-53,
     {0, -0x1.9c6cf582cbf7fp-2, 0x1.ae8a39f51ad03p-5, 0x1.b589d1da13905p-5, -0x1.537544c331d7p-8,
     -0x1.24b3409959091p-9, 0x1.6e4c2d5351f7dp-13, 0x1.83a06e30c5e95p-15, -0x1.9799d4c8b32b8p-19,
     -0x1.33825cd348918p-21, 0x1.170691d102bfp-25, 0x1.4569b2184fea2p-28, -0x1.03b9c61a7308ep-32,
     -0x1.ec61f3f98641dp-36, 0x1.5eb9bbc3084dfp-40, 0x1.178f49c2df152p-43, -0x1.6488d5414400dp-48,
     -0x1.e2482dc0ce663p-52, 0x1.a2b7adb327799p-57}},
    {5.4, 0x1.c0ff5f3b4725p2, -0x1.b226d9d243827p-54,
     {0, 0x1.33518b3874e8ap-2, -0x1.5e70dc60362bfp-6, -0x1.80c83bdeee5bp-5, 0x1.9a4b292e3de3fp-9,
     0x1.13fbc7d6981cfp-9, -0x1.07358bbdbfe31p-13, -0x1.796a751f849e2p-15, 0x1.4255b0159e71ap-19,
     0x1.3026e0cc6f574p-21, -0x1.d48dcda303336p-26, -0x1.44639c4d763e4p-28, 0x1.c62cc657e34f3p-33,
     0x1.ecadcbb18bdbdp-36, -0x1.3bb54c87eb969p-40, -0x1.1818db1b03c41p-43, 0x1.4a89cebc1803ep-48,
     0x1.e0048298ce5b4p-52, -0x1.0221823d4b4bbp-56}},
    {8.6, 0x1.458d0d0bdfc29p3, 0x1.02610a51562b6p-51,
     {0, -0x1.ff654544ebcd1p-3, 0x1.9223ff2c0785bp-7, 0x1.4b0c5d5da6789p-5, -0x1.f91a9ee0d28cap-10,
     -0x1.f51c2489b9fb5p-10, 0x1.6b4c9ca0f19ddp-14, 0x1.63c5475412282p-15, -0x1.e3725dbc4a44ap-20,
     -0x1.25c123bf1faa9p-21, 0x1.7486ec7b72e35p-26, 0x1.3e3bbf75b718ep-28, -0x1.78a9baef8bb75p-33,
     -0x1.e86a97540eb23p-36, 0x1.0cc2e64449191p-40, 0x1.12b0fbfb92d95p-43, -0x1.54b96efc138cep-48,
     -0x1.527ac66c908bdp-51, -0x1.245d3c47a031bp-57}},
};

// 2^-59.
static const piece Y0[] = {
    {0, 0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56,
     {0, 0x1.c24371844b88ap-1, -0x1.f7e38a46d7101p-2, 0x1.c3b1338af3defp-3, -0x1.cf18e6a4b3c55p-3,
     0x1.c068086c43104p-3, -0x1.a396a80593338p-3, 0x1.9424b919308a2p-3, -0x1.8d35b43efd9f9p-3, 0x1.8c08da553d847p-3,
     -0x1.8f7e6b09a4c14p-3, 0x1.96dcbba12a9c3p-3, -0x1.a1a55d0bfd28ep-3, 0x1.afd0909f9102fp-3, -0x1.c31f746e00394p-3,
     0x1.dbbd5b13180cp-3, -0x1.dce62a3c37b35p-3, 0x1.771865f899a72p-3, -0x1.3816b448d0d8bp-4}},
    {1.2, 0x1.8ccccccccccccp0, 0,
     {0x1.9be6a232d2a16p-2, 0x1.84cf8e7ade6d6p-2, -0x1.4b5f8f93a08cdp-2, 0x1.0b78af8a03067p-5, -0x1.2ef2405fd630fp-7,
     0x1.bced86c3e6a6dp-7, -0x1.f83cb923195ep-8, 0x1.0af5fe5ba7d06p-8, -0x1.2fe7102643a81p-9, 0x1.5fcdddec7cba8p-10,
     -0x1.9a59aa6160654p-11, 0x1.e2cc877c956dfp-12, -0x1.1e2b02b4803a6p-12, 0x1.55de60708a54ap-13,
     -0x1.9ac5a89ddc88ap-14, 0x1.e276e9f99b992p-15, -0x1.1ed107908f594p-15, 0x1.c5364d09e2702p-16,
     -0x1.27567df56fc47p-16}},
    {1.9, 0x1.4p1, 0,
     {0x1.fe0628069e15dp-2, -0x1.2ad720f3af3a9p-3, -0x1.c24187d5e1708p-3, 0x1.977cb3a5330dep-5, 0x1.0ebd002e3bcb7p-7,
     -0x1.80d40330810d9p-11, -0x1.6bd70c6268d4fp-11, 0x1.729c0732f0c03p-13, -0x1.72eb2a9d7a062p-15,
     0x1.1f44bdd3cfdc2p-16, -0x1.b167b88bbbaddp-18, 0x1.3bdfae9fb6b67p-19, -0x1.d0ddb75734259p-21,
     0x1.597e5be12ffep-22, -0x1.01987b2bc4786p-23, 0x1.750fee0bd998bp-25, -0x1.17cd740e986d1p-26,
     0x1.18dcc5b8b2c8dp-27, -0x1.ac006eb872f1ap-29}},
    {3.1, 0x1.fa9534d98569cp1, -0x1.f06ae7804384ep-54,
     {0, -0x1.9c34256a12a0cp-2, 0x1.a09c9290367fp-5, 0x1.df6d59bf50ebep-5, -0x1.c116fdc5982a3p-8,
     -0x1.1e32bc4ef8abfp-9, 0x1.99827651ad99fp-13, 0x1.ab2c1fecb73a6p-15, -0x1.4863722cd1facp-18,
     -0x1.3b2166e30b74p-22, -0x1.776f33f76b241p-26, 0x1.452e19919bbcfp-26, -0x1.f6a9040c6f6bfp-29,
     0x1.a5d50fc77f4c7p-31, -0x1.978c19eb940b2p-33, 0x1.83853212b2582p-35, -0x1.8764083034cdp-37,
     0x1.a767a5919bf58p-39, -0x1.2402edb8fd685p-41}},
    {5, 0x1.c581dc4e72103p2, -0x1.9774a495f56cfp-54,
     {0, 0x1.334cca0697a5bp-2, -0x1.5aef611fc4d57p-6, -0x1.8969c64cbf456p-5, 0x1.b2f14a9552756p-9,
     0x1.1d35e85fde51p-9, -0x1.26dd71e38e2c7p-13, -0x1.8177e4fe76f17p-15, 0x1.6a922731d2324p-19,
     0x1.34aa758314cd7p-21, -0x1.0a2813339ad64p-25, -0x1.442a41c472c0bp-28, 0x1.fa6aa03ba839p-33,
     0x1.f14ccd47e72f2p-36, -0x1.70e200a52aa37p-40, -0x1.04ff55f90deb8p-43, 0x1.24ea39ed62c4ep-48,
     0x1.83230a6fd04fbp-52, -0x1.67dabf4e5be46p-54}},
    {8.2, 0x1.471d735a47d58p3, -0x1.cb49ff791c495p-51,
     {0, -0x1.ff635cc72b9f1p-3, 0x1.9036451ff57c2p-7, 0x1.4e667a71556a6p-5, -0x1.0325ee41e957p-9,
     -0x1.fe23914fbbc73p-10, 0x1.7f84d7c474eaap-14, 0x1.6afdd578b74ecp-15, -0x1.04053b258569dp-19,
     -0x1.2aeaa14504696p-21, 0x1.93eb3cf815606p-26, 0x1.4288bfd3eb608p-28, -0x1.99fc9808e2174p-33,
     -0x1.ed41a50429c3ap-36, 0x1.213b501acec39p-40, 0x1.0b8ed874b8a6ap-43, -0x1.a7f7a1a55f049p-48,
     -0x1.8e9f4400eee3fp-51, -0x1.e70f5514236ep-57}},
};

// 2^-57.
static const piece Y1[] = {
    {0, 0x1.193bed4dff243p1, -0x1.bd1e50d219bfdp-55,
     {0, 0x1.0aa48442f014bp-1, -0x1.e56f82217b8f5p-4, -0x1.0d2af4e9323e7p-5, -0x1.3a6dec37259bdp-8,
     0x1.e671c7d12ff17p-8, -0x1.5429dc5c21ddcp-9, 0x1.17ab4aea9cd47p-10, -0x1.0b2d869558869p-11, 0x1.eea7c77344043p-13,
     -0x1.c3fb5bf2f18bdp-14, 0x1.9d14e1cc5aac7p-15, -0x1.7944d490e0684p-16, 0x1.58b149c4bef7dp-17,
     -0x1.3bb1f14661595p-18, 0x1.1913a0abfedc2p-19, -0x1.e46c8fcb4233bp-21, 0x1.224d469e4cabap-21,
     -0x1.4803e63b84b9ep-22}},
    {2.65, 0x1.bp1, 0,
     {0x1.97a7366a44aep-2, 0x1.f246d51cf1bb6p-4, -0x1.98c629e55d8ccp-3, -0x1.db9849a6dbf04p-12, 0x1.91cc5836a4678p-7,
     0x1.5c4e892429b0fp-12, -0x1.06f5267763181p-11, 0x1.357e8cfb64bb5p-15, -0x1.0e2c422a7462fp-18,
     0x1.97ed36724bc91p-19, -0x1.0a68689fcf95bp-20, 0x1.2b000c08ce163p-22, -0x1.6249b1a492846p-24,
     0x1.a925918fda013p-26, -0x1.fb24579407f79p-28, 0x1.2566475ffe001p-29, -0x1.577d699a17361p-31,
     0x1.0a2acd4125638p-32, -0x1.4e14a6029fc6dp-34}},
    {4.1, 0x1.5b7fe4e87b02ep2, 0x1.dfe7bac228e8cp-52,
     {0, -0x1.5c7c556f0c19ap-2, 0x1.00b9f8571ca1dp-5, 0x1.a15d92dfe3e12p-5, -0x1.10a329e2c2228p-8,
     -0x1.1be6db992270ap-9, 0x1.337c7e136dc1ap-13, 0x1.85b940e98c3dcp-15, -0x1.80619124e8d8fp-19,
     -0x1.255e6b9a8c438p-21, 0x1.b62ca96c04526p-26, 0x1.80b086c7d11d9p-28, -0x1.a7e1986a50a46p-32,
     0x1.495f224cf0d0fp-39, -0x1.3aa12bae898abp-38, 0x1.3f46c300068a2p-40, -0x1.9f9970c6643e7p-43,
     0x1.a2925a4721a05p-45, -0x1.60cd6daa52202p-47}},
    {6.7, 0x1.13127ae6169b4p3, 0x1.479cc068d9046p-52,
     {0, 0x1.15f993fceab5cp-2, -0x1.02b3933cf21b1p-6, -0x1.6395dfe49fcd4p-5, 0x1.3ced2a2e6916dp-9,
     0x1.07a678d600118p-9, -0x1.b50d7e1d3117p-14, -0x1.6f7bab1054611p-15, 0x1.176e72bf3cd15p-19,
     0x1.2becb2b8f8e8p-21, -0x1.a384ee7772158p-26, -0x1.41e7aa28302dcp-28, 0x1.9e32625074ea9p-33,
     0x1.ec412d79d2405p-36, -0x1.267cfad84c015p-40, -0x1.170124bcf4212p-43, 0x1.2eb24edcee046p-48,
     0x1.f7185c24e173ap-52, -0x1.74605cdd2f3c4p-57}},
};

#endif
