/** The parts of the dashboard that not every organisation needs. */
import { codeApart } from '#web/ui/loaded-apart.tsx';

/** For organisations that have requests this month. */
export const activity = codeApart(async () => (await import('./dashboard-activity.tsx')).DashboardActivity);

/** For new organisations. */
export const quickstartGuide = codeApart(
  async () => (await import('./quickstart-guide.tsx')).QuickstartGuide,
);
