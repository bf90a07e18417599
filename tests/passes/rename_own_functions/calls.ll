; Uses in other functions and in initial values follow.
@table = constant [1 x ptr] [ptr @helper]
define dso_local hidden i32 @helper() {
  ret i32 1
}
define available_externally ptr @"odd name"() {
  %x = call i32 @helper()
  ret ptr @helper
}
; -- becomes
@table = constant [1 x ptr] [ptr @helper.own]

define internal i32 @helper.own() {
0:
  ret i32 1
}

define internal ptr @"odd name.own"() {
0:
  %x = call i32 @helper.own()
  ret ptr @helper.own
}
