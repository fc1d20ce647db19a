import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { CameraLimits } from "../looks/BoardLook";
import { OrbitCamera } from "./orbitCamera";

const SOLID: CameraLimits = { tilt: [-89, 89], turn: null };
const FLAT: CameraLimits = { tilt: [18, 89], turn: 80 };
const CORNERS = [-2, 2].flatMap((x) => [-1, 1].flatMap((y) => [-3, 0].map((z) => new Vector3(x, y, z))));

const build = (limits: CameraLimits, turn = 0, tilt = 30): OrbitCamera =>
  new OrbitCamera(CORNERS, new Vector3(0, 0, -1.5), limits, turn, tilt);

/** Advance until the board rests. */
function rest(orbit: OrbitCamera, isHeld = false): void {
  for (let frame = 0; frame < 1000 && orbit.advance(isHeld); frame++);
}

describe("the limits", () => {
  it("stop the turn and tilt of a flat board", () => {
    const orbit = build(FLAT);
    orbit.drag(500, 500);
    expect([orbit.turn, orbit.tilt]).toEqual([80, 89]);
    orbit.drag(-500, -500);
    expect([orbit.turn, orbit.tilt]).toEqual([-80, 18]);
  });
  it("let a solid turn all round", () => {
    const orbit = build(SOLID);
    orbit.drag(500, -500);
    expect([orbit.turn, orbit.tilt]).toEqual([500, -89]);
  });
});

describe("gliding", () => {
  it("goes on after a drag and comes to rest", () => {
    const orbit = build(SOLID);
    orbit.drag(5, 0);
    rest(orbit);
    expect(orbit.turn).toBeGreaterThan(20);
    expect(orbit.turn).toBeLessThan(5 / (1 - 0.9) + 1);
  });
  it("does not happen while the board is held or motion is reduced", () => {
    const [held, calm] = [build(SOLID), build(SOLID)];
    calm.reducedMotion = true;
    held.drag(5, 0);
    calm.drag(5, 0);
    rest(held, true);
    rest(calm);
    expect([held.turn, calm.turn]).toEqual([5, 5]);
  });
});

it("a step goes on from the goal of the step before", () => {
  const orbit = build(SOLID);
  orbit.step(20, 0);
  orbit.step(20, 0);
  rest(orbit);
  expect(orbit.turn).toBeCloseTo(40);
});

it("facing a side of the board turns it to the camera", () => {
  const orbit = build(SOLID);
  for (const side of [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(-1, 0, 0), new Vector3(0, 0, 1)]) {
    orbit.face(side);
    rest(orbit);
    orbit.updateCamera(1);
    expect(
      side.dot(
        orbit.camera.position
          .clone()
          .sub(new Vector3(0, 0, -1.5))
          .normalize(),
      ),
    ).toBeGreaterThan(0.5);
  }
});

describe.each([0.5, 1, 2.5])("in a window of aspect %s", (aspect) => {
  it("all points stay in sight from everywhere", () => {
    for (const tilt of [-60, 0, 45, 89]) {
      for (const turn of [0, 77, 200]) {
        const orbit = build(SOLID, turn, tilt);
        orbit.updateCamera(aspect);
        for (const corner of CORNERS) {
          const { x, y } = corner.clone().project(orbit.camera);
          expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1);
        }
      }
    }
  });
});

it("zooming brings the camera nearer, within limits", () => {
  const orbit = build(SOLID);
  orbit.updateCamera(1);
  const far = orbit.camera.position.length();
  orbit.zoomBy(100);
  orbit.updateCamera(1);
  const near = orbit.camera.position.length();
  orbit.zoomBy(0.001);
  orbit.updateCamera(1);
  expect(near).toBeLessThan(far);
  expect(orbit.camera.position.length()).toBeCloseTo(far);
});
