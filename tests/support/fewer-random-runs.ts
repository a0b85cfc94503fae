// Setup file of the projects with most of the properties: PROPERTY_RUNS sets how often each is tried that says no number itself.
import fc from 'fast-check';

const runs = Number(process.env.PROPERTY_RUNS ?? 0);
if (runs > 0) fc.configureGlobal({ numRuns: runs });
