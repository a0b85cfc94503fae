/** The calls of wrangler that deploy everything, in order: new code never runs against old tables. */
export const DEPLOY_STEPS: readonly (readonly string[])[] = [
  ['d1', 'migrations', 'apply', 'tessera', '--remote'],
  ['deploy'],
];
