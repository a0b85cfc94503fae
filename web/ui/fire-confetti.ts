/** Fires confetti in brand colours. Loaded on demand; does nothing if the system requests reduced motion. */
const COLOURS = ['#18807b', '#3fa49f', '#9fd3cf', '#45423e', '#d6d3ce'];

export async function fireConfetti(): Promise<void> {
  const { default: confetti } = await import('canvas-confetti');
  // No web worker: the content security policy blocks scripts from blob URLs.
  const fire = confetti.create(undefined, { resize: true, useWorker: false, disableForReducedMotion: true });
  const burst = {
    particleCount: 70,
    spread: 64,
    startVelocity: 42,
    shapes: ['square' as const],
    colors: COLOURS,
  };
  void fire({ ...burst, angle: 60, origin: { x: 0.05, y: 0.85 } });
  void fire({ ...burst, angle: 120, origin: { x: 0.95, y: 0.85 } });
}
