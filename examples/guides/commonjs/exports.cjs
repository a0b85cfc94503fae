/** Takes the client as an argument, so that a test can pass its own. */
async function exportReport(tessera, user) {
  const { allowed } = await tessera.consume('data-exports.exports', { on: { user }, fallback: 'allow' });
  if (!allowed) throw new Error('No exports left this month');
  return 'month,total\n2026-01,42';
}

module.exports = { exportReport };
