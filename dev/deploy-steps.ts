/** The calls of wrangler that deploy everything, in order: new code never runs against old tables or without its runners. */
export const DEPLOY_STEPS: readonly (readonly string[])[] = [
  ['d1', 'migrations', 'apply', 'tessera', '--remote'],
  ['deploy', '--config', 'workflow-runner/wrangler.toml'],
  ['deploy', '--config', 'workflow-runner/wrangler.toml', '--name', 'tessera-long-workflow-runner'],
  ['deploy'],
];
