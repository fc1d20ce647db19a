/** Whether this browser renders WebGL in software: then nothing should turn without need. */
const PROCESSORS = /swiftshader|llvmpipe|softpipe|software|basic render/i;
let known: boolean | null = null;

export function drawsInSoftware(): boolean {
  known ??= asked();
  return known;
}

/** The name of the renderer tells; a browser without WebGL counts too. */
function asked(): boolean {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return true;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return PROCESSORS.test(name);
}
