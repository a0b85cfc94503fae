// A bare Worker that calls the workflow runner once, without running anything.
export default {
  async fetch(_request, { WORKFLOW_RUNNER_URL }) {
    const response = await fetch(`${WORKFLOW_RUNNER_URL}/health`);
    return new Response(await response.text());
  },
};
