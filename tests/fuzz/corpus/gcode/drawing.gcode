; paper 100 x 60 mm
; dapple:recipe
;   command = "stipple"
;   dots = 50
; Software
;   Dapple
G21
G90
M5
G0 X10.5 Y3
M3 S1000
; layer black
M2
