/** What other domains may read of workflows. */
export { getWorkflow, listCompiledCode } from './store.ts';
export { listTestedWorkflows, listTests } from './test-store.ts';
