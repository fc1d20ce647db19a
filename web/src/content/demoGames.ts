/** Games of the bots against each other, for the boards of the home page. */
import type { PositionRequest } from "../lib/api/types";

export const DEMO_GAMES: Readonly<Record<string, Pick<PositionRequest, "spec" | "moves">>> = {
  lariat: {
    spec: "lariat-2x10",
    moves:
      "a1 l12 k11 f12 j5 f5 f11 g9 i1 b6 m3 f1 h10 k5 d12 b1 h8 e10 i6 g10 c5 g6 h2 g11 e4 f3 g4 f4 i12 h9 j8 m9 l8 k10 i4 j9 j10 i8 j6 i5 e1 j4 f2 g2 g1 e3 e2 d3 c2 b2 k8 j7 k6 b5 c3 c4 e8 d7 h6 k7".split(
        " ",
      ),
  },
  "cube-lariat": {
    spec: "cube-lariat-4",
    moves:
      "DR2 BL2 UF2 Fc3 DB2 Dd2 Dd1 Uc1 Rb1 Ra1 Ub1 Rb2 Rc2 Ub2 Ud1 Fa4 Fc4 Rc3 Bd1 Ba4 Fb3 DR1 Rd3 Rd4 Ra2 Ra1' Dc3 Lb4 Fb2 Da2 Rc4 Rc3' Bd4 Bd3 Dc2 Fc1 Fd1 Dd3 BR3 Dc4 Ba2 Rd2 Rc2' Bc4 Ud4 Rb4 Ud2 Ud3 Uc3 Rc1 Rb1' Uc2' Uc2 Ub4 Ua1 Uc3' Uc4 Fd4 Ub1'".split(
        " ",
      ),
  },
  tether: {
    spec: "tether-9",
    moves:
      "g3 h8 c4 c5 f4 i7 i1 e5 d6 b8 d4 e3 b5 d5 e4 b7 e8 c3 d3 d8 b6 f5 c6 f9 h7 a9 f1 h3 h2 f8 a4 f7 b2 e6 g4 c1 b1 h9 a1 e2 a2 h1 d1 g1 e1 h4 i2 d2 c2 g5 f2 a3 b3 b4 a5 i3 i4 e9 d9 h5".split(
        " ",
      ),
  },
  laocoon: {
    spec: "laocoon-weave",
    moves:
      "g8 a4 d3 f7 g8-f8 f7-e7 /b4 d3-d4 /g7 e7-e6 /g3 f8-g7 /h1 e6-e5 /e4 g7-f6 /h5 a4-a5 /h3 f6-f5 /b6 e5-f4 /c5 f5-g5 /e8 f4-g4 /c1 g5-h4 /a7 g4-g3 /b8 h4-h3 /d8 g3-g2 /c8 d4-c3 /g7 g2-f2 /c6 c3-b3".split(
        " ",
      ),
  },
  liger: {
    spec: "liger-8",
    moves:
      "a1-b2 b6-c5 c1-d2 c5-d4 c3-d4 d6-e5 d4=e5 f6-e5 e1-f2 e5=f4 e3-f4 e5-f4 g3-f4 e5-f4 g1-h2 f4=g3 b2-c3 f4=g3 b2-c3 g3=h2 d2-e3 f4=g3 f2-g3 h2=g1 f2-g1 a7-b6 g1=h2 b6-c5 g3=h4 c5-d4 g3=h4 d4-e3 h2=g3 e3=f2 g3=h4 f2=g1 h4=g5 g1-off h4=g5 c7-d6 g5=h6 d6-e5 h4=g5 e5-f4".split(
        " ",
      ),
  },
};
