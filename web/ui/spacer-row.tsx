/** Takes the place of table rows that are not rendered; see use-virtual-rows.ts. Nothing if there are none. */
export function SpacerRow({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden style={{ background: 'none' }}>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
