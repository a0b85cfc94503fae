'use client';

import { useAccess, useCan, useMeter } from 'tessera-sdk/react';
import { exportReport } from './export-report';

export function ExportButton() {
  const canExport = useCan('data-exports.exports', { fallback: false });
  const exports = useMeter('data-exports.exports');
  const { refresh } = useAccess();
  const run = async () => {
    await exportReport();
    await refresh();
  };
  return (
    <button type="button" disabled={!canExport} onClick={run}>
      Export{exports?.state === 'metered' && ` (${exports.remaining} left)`}
    </button>
  );
}
