/**
 * Takes the place of table rows that are not rendered; see use-virtual-rows.ts. Nothing if there are none. One cell: a span over
 * columns that a narrow screen hides would take width from the others.
 */
export function SpacerRow({ height }: { readonly height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden style={{ background: 'none' }}>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/** The same between the bodies of a table. */
export function Spacer({ height }: { readonly height: number }) {
  return (
    height > 0 && (
      <tbody>
        <SpacerRow height={height} />
      </tbody>
    )
  );
}
