/** Elo of the levels on the standard board of each game, level 1 being 0; `make ladder` writes it. */
export const LEVEL_RATINGS: Readonly<Record<string, readonly number[]>> = {
  lariat: [0, 440, 950, 1590, 1860, 1990, 2230, 2380],
  "cube-lariat": [0, 340, 970, 1620, 2000, 2220, 2360, 2750],
  tether: [0, 340, 980, 1620, 2260, 2890, 3270, 3800],
  laocoon: [0, 170, 340, 670, 870, 1170, 1290, 1680],
  liger: [0, 270, 610, 1240, 1760, 2400, 3040, 3570],
};
