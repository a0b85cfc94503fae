/** Archived projects have what Free has. Projects in the EU have Team on top. */
export default function workflow({ context }: WorkflowInput): WorkflowResult {
  if (context.isArchived === true) return { plans: ['free'], mode: 'replace' };
  return context.region === 'eu' ? ['team'] : [];
}
