define <4 x i32> @f(i64 %texture, i32 %x) {
  %t = call <4 x i32> @__lw_tex_fetch(i64 %texture, i32 132100, i32 %x)
  ret <4 x i32> %t
}

declare <4 x i32> @__lw_tex_fetch(i64, i32, i32)
; -- becomes
define <4 x i32> @f(i64 %texture, i32 %x) {
0:
  %t = call <4 x i32> @__lw_fetch_words_4(i64 %texture, i32 132100, i32 %x)
  ret <4 x i32> %t
}

declare <4 x i32> @__lw_tex_fetch(i64, i32, i32)

define internal <4 x i32> @__lw_fetch_words_4(i64 %texture, i32 %wanted, i32 %x) alwaysinline {
entry:
  %some = icmp ne i64 %texture, 0
  br i1 %some, label %look, label %any

look:
  %it = inttoptr i64 %texture to ptr
  %element = load i32, ptr %it, align 4
  %difference = xor i32 %element, %wanted
  %but.sign = and i32 %difference, -65537
  %same = icmp eq i32 %but.sign, 0
  %magic.place = getelementptr i8, ptr %it, i64 4
  %magic = load i32, ptr %magic.place, align 4
  %is.texture = icmp eq i32 %magic, 2122777630
  %format.place = getelementptr i8, ptr %it, i64 60
  %format = load i8, ptr %format.place, align 1
  %is.words = icmp eq i8 %format, 0
  %stride.place = getelementptr i8, ptr %it, i64 16
  %stride = load i64, ptr %stride.place, align 8
  %is.dense = icmp eq i64 %stride, 16
  %both = and i1 %same, %is.texture
  %all.three = and i1 %both, %is.words
  %plain = and i1 %all.three, %is.dense
  br i1 %plain, label %test, label %any

test:
  %extent.place = getelementptr i8, ptr %it, i64 40
  %extent = load i32, ptr %extent.place, align 4
  %within = icmp ult i32 %x, %extent
  br i1 %within, label %read, label %done

read:
  %texels.place = getelementptr i8, ptr %it, i64 8
  %texels = load ptr, ptr %texels.place, align 8
  %index = sext i32 %x to i64
  %texel = getelementptr [4 x i32], ptr %texels, i64 %index
  %place.0 = getelementptr i8, ptr %texel, i64 0
  %word.0 = load i32, ptr %place.0, align 4
  %place.1 = getelementptr i8, ptr %texel, i64 4
  %word.1 = load i32, ptr %place.1, align 4
  %place.2 = getelementptr i8, ptr %texel, i64 8
  %word.2 = load i32, ptr %place.2, align 4
  %place.3 = getelementptr i8, ptr %texel, i64 12
  %word.3 = load i32, ptr %place.3, align 4
  br label %done

any:
  %called = call <4 x i32> @__lw_tex_fetch(i64 %texture, i32 %wanted, i32 %x)
  %called.0 = extractelement <4 x i32> %called, i64 0
  %called.1 = extractelement <4 x i32> %called, i64 1
  %called.2 = extractelement <4 x i32> %called, i64 2
  %called.3 = extractelement <4 x i32> %called, i64 3
  br label %done

done:
  %channel.0 = phi i32 [ 0, %test ], [ %word.0, %read ], [ %called.0, %any ]
  %channel.1 = phi i32 [ 0, %test ], [ %word.1, %read ], [ %called.1, %any ]
  %channel.2 = phi i32 [ 0, %test ], [ %word.2, %read ], [ %called.2, %any ]
  %channel.3 = phi i32 [ 0, %test ], [ %word.3, %read ], [ %called.3, %any ]
  %result.0 = insertelement <4 x i32> zeroinitializer, i32 %channel.0, i64 0
  %result.1 = insertelement <4 x i32> %result.0, i32 %channel.1, i64 1
  %result.2 = insertelement <4 x i32> %result.1, i32 %channel.2, i64 2
  %result.3 = insertelement <4 x i32> %result.2, i32 %channel.3, i64 3
  ret <4 x i32> %result.3
}
