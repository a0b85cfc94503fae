/** Which key to use, where to create it, and the permissions that a restricted key needs. */
import { Anchor } from '@mantine/core';
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react';
import classes from './stripe.module.css';

/** Named as on Stripe's page for restricted keys. */
const PERMISSIONS = [
  ['Customers', 'Read', 'who they are, and whom an identifier means'],
  ['Products', 'Read', 'what a plan can be linked to'],
  ['Subscriptions', 'Read', 'who is on which plan'],
  ['Events', 'Read', 'to catch up on what a webhook has missed'],
  ['Webhook Endpoints', 'Write', 'to create the webhook for you; not needed where you add it by hand'],
] as const;

export function KeyHelp() {
  return (
    <details className={classes.help}>
      <summary>
        <IconChevronRight size={14} aria-hidden />
        Which key, and what it may do
      </summary>
      <div className={classes.helpBody}>
        <p>
          A <strong>restricted key</strong> (rk_…) is best: it can do no more than you allow. A standard
          secret key (sk_…) works too. A key of test mode brings test customers, who count in test
          environments only; connect live mode with a key of its own.
        </p>
        <ol>
          <li>
            Open{' '}
            <Anchor href="https://dashboard.stripe.com/apikeys" target="_blank" rel="noreferrer">
              API keys at Stripe <IconExternalLink size={13} aria-hidden className={classes.outward} />
            </Anchor>{' '}
            and choose “Create restricted key”.
          </li>
          <li>Give it these permissions, leave all others at “None”, and paste the key here.</li>
        </ol>
        <table className={classes.permissions} aria-label="Permissions of a restricted key">
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col">Permission</th>
              <th scope="col">What for</th>
            </tr>
          </thead>
          <tbody>
            {PERMISSIONS.map(([resource, permission, purpose]) => (
              <tr key={resource}>
                <th scope="row">{resource}</th>
                <td>{permission}</td>
                <td>{purpose}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
