/** The sounds of a match, generated in the browser: a short tone for a move of the opponent, two for the end. */
import { preferences } from "../state/preferences.svelte";

const VOLUME = 0.07;
const DECAY_SECONDS = 0.22;
const MOVE_HERTZ = 392;
const END_HERTZ = [392, 523];

let context: AudioContext | null = null;

/** Play one tone that fades away; `delay` in seconds. */
function playTone(audio: AudioContext, hertz: number, delay = 0): void {
  const start = audio.currentTime + delay;
  const [tone, gain] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.value = hertz;
  gain.gain.setValueAtTime(VOLUME, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + DECAY_SECONDS);
  tone.connect(gain).connect(audio.destination);
  tone.start(start);
  tone.stop(start + DECAY_SECONDS);
}

/** Browsers allow sounds only after the visitor has done something on the page. */
const isAllowed = (): boolean => navigator.userActivation?.hasBeenActive ?? true;

/** Play the sound of a move or of the end; nothing where sounds are switched off or the browser has none. */
export function playSound(kind: "move" | "end"): void {
  if (!preferences.sound || typeof AudioContext === "undefined" || !isAllowed()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  const audio = context;
  if (kind === "move") playTone(audio, MOVE_HERTZ);
  else END_HERTZ.forEach((hertz, index) => void playTone(audio, hertz, 0.15 * index));
}
