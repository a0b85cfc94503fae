/** A handful of tiles in the colours of the mark. Loaded when it is needed; nothing moves where the system asks for less. */
const COLOURS = ['#18807b', '#3fa49f', '#9fd3cf', '#45423e', '#d6d3ce'];

export async function fireConfetti(): Promise<void> {
  const { default: confetti } = await import('canvas-confetti');
  // Without a worker: the page's policy allows no script but its own files.
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
