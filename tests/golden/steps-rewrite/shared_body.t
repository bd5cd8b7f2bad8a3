# Two scans that do the same share one body, whatever their names.
a : f64[n]
b : f64[m]
p = scan t over a from s = 0.0 { s[t] = s[t-1] * 2 + a[t] }
q = scan j over b from acc = 0.0 { acc[j] = acc[j-1] * 2 + b[j] }
:graph p.final + q.final ssa=on
---
%1 : i64 = size{size=n}()
%2 : f64[n] = input{name=a}()
@1 = graph(p0: f64, p1: f64) {  # p0 "acc[j-1]", p1 "b[j]"
  %3 : f64 = mul(p0, 2.0)
  %4 : f64 = add(%3, p1)  # "acc[j]"
  return %4, %4
}
%5 : (f64, f64[n], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%1, init=0.0, seq=%2)
%6 : f64 = %5.0
%7 : i64 = size{size=m}()
%8 : f64[m] = input{name=b}()
%9 : (f64, f64[m], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%7, init=0.0, seq=%8)
%10 : f64 = %9.0
%11 : f64 = add(%6, %10)
return %11
