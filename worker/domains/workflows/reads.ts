/** What other domains may read of workflows. */
export { getWorkflow } from './store.ts';
