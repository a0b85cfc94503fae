import { Gate, useCan, useValue } from 'tessera-sdk/react';

export function Toolbar() {
  const canShare = useCan('dashboards.publicSharing', { fallback: false });
  const maxDashboards = useValue('dashboards.maxDashboards', { fallback: 3 });
  return (
    <menu>
      <li>Up to {maxDashboards} dashboards</li>
      {canShare && <li>Share</li>}
      <Gate allow="data-exports" loading={<li>…</li>} otherwise={<li>Upgrade to export</li>}>
        <li>Export</li>
      </Gate>
    </menu>
  );
}
