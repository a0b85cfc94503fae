/** The words of the console, in the order in which you meet them. */
import { GuideLink, Part, Terms } from '../parts/guide-parts.tsx';

export function Concepts() {
  return (
    <>
      <p>
        You edit a workspace, freeze it as a version, and deploy the version to an environment. Your app calls
        an environment with one of its keys.
      </p>
      <Part title="What you define">
        <Terms
          terms={[
            [
              'Feature',
              <>
                Anything you gate or meter: exports, SSO, seats. Your code names it by its slug, for example{' '}
                <code>data-exports</code>.
              </>,
            ],
            [
              'Property',
              <>
                A value of a feature that your app receives: a switch, a number, a text or a meter. The path{' '}
                <code>dashboards.maxDashboards</code> is the property <code>maxDashboards</code> of{' '}
                <code>dashboards</code>. Each property has a default. Every feature has <code>enabled</code>.
              </>,
            ],
            [
              'Plan',
              'A bundle of property values. Customers get plans from Stripe subscriptions, from their sign-in status, or manually. When several plans set a value, the property decides whether the highest, the lowest or their sum applies.',
            ],
            [
              'Override',
              'A value for one customer that takes precedence over every plan. It can have an end date.',
            ],
            ['Workspace', 'Everything you edit in the console: features, plans and workflows.'],
          ]}
        />
      </Part>
      <Part title="How changes go live">
        <Terms
          terms={[
            [
              'Version',
              'A frozen copy of the workspace with a number. It never changes. You can compare two versions, and see who gains or loses before you deploy one.',
            ],
            [
              'Environment',
              'Where a version runs, for example Production or Staging. Each environment has its own API keys and its own usage. A deployment or a rollback applies within 5 seconds.',
            ],
            [
              'Preview',
              'The environment that always runs the workspace as it is now. Use its keys during development. You deploy to the others.',
            ],
            [
              'API key',
              <>
                Belongs to one environment and selects it. Secret keys (<code>tsr_sec_…</code>) stay on
                servers and can check anyone. Public keys (<code>tsr_pub_…</code>) are safe in browsers and
                only accept signed user tokens.
              </>,
            ],
          ]}
        />
      </Part>
      <Part title="What your app calls">
        <Terms
          terms={[
            [
              'Customer',
              'Who a call is about, by Stripe customer ID, email or your own ID. If a company pays, use the company’s. A call without one is anonymous.',
            ],
            [
              'Access check',
              'One call that returns every feature with its verdict and its values for a customer. Denied is a 200, not an error, and comes with its reason.',
            ],
            [
              'Meter',
              <>
                A property that is on, off, or has a limit, such as 100 exports a month. Your app consumes
                from it or counts what happened: see <GuideLink to="usage">Usage</GuideLink>.
              </>,
            ],
            [
              'Window',
              'When usage leaves a meter. A limit “/ month” follows the UTC calendar: all usage resets on the 1st. A limit “in the last 30 days” trails behind now: each use counts for exactly 30 days. A limit “total” never resets. The API calls them rolling, fixed and lifetime.',
            ],
            [
              'Resource',
              'What a unique meter counts: each resource ID once. Ten seats are ten members, however often they sign in.',
            ],
          ]}
        />
      </Part>
    </>
  );
}
