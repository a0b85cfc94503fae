'use client';
import { useState } from 'react';
import { useAccess, useMeter } from 'tessera-sdk/react';

/** Renders again when the meter changes, and only then. */
export function ExportButton() {
  const exports = useMeter('data-exports.exports');
  const { refresh } = useAccess();
  const [result, setResult] = useState('');
  const left = exports?.state === 'metered' ? `${exports.remaining} left` : '';

  async function startExport() {
    const response = await fetch('/exports', { method: 'POST' });
    setResult(await response.text());
    await refresh().catch(() => {});
  }

  return (
    <p>
      <button type="button" onClick={startExport} disabled={exports?.allowed !== true}>
        Export
      </button>{' '}
      {left} <output>{result}</output>
    </p>
  );
}
