/** Tessera's logo: four tiles of a mosaic, one of them verdigris. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true" focusable="false">
      <rect x="0" y="0" width="12" height="12" rx="2.5" fill="var(--tile-stone)" />
      <rect x="14" y="0" width="12" height="12" rx="2.5" fill="var(--tile-mid)" />
      <rect x="0" y="14" width="12" height="12" rx="2.5" fill="var(--tile-mid)" />
      <rect x="14" y="14" width="12" height="12" rx="2.5" fill="var(--accent)" />
    </svg>
  );
}
