/** Whether this browser draws space without a graphics card: then nothing should turn for mere beauty. */
const PROCESSORS = /swiftshader|llvmpipe|softpipe|software|basic render/i;
let known: boolean | null = null;

export function drawsInSoftware(): boolean {
  known ??= asked();
  return known;
}

/** The name of the renderer says so; a browser that cannot draw space at all counts too. */
function asked(): boolean {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return true;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return PROCESSORS.test(name);
}
