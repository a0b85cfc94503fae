/** Which key to use, where to create it, and the permissions that a restricted key needs. */
import { Box, Stack } from '@mantine/core';
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react';
import classes from './stripe.module.css';

/** Named as on Stripe's page for restricted keys. */
const PERMISSIONS = [
  ['Customers', 'Read', 'identify customers'],
  ['Products', 'Read', 'link products to plans'],
  ['Subscriptions', 'Read', 'grant plans by subscription'],
  ['Events', 'Read', 'recover missed webhooks'],
  ['Webhook Endpoints', 'Write', 'create the webhook, unless you add it manually'],
] as const;

export function KeyHelp() {
  return (
    <Box component="details" maw={640} className={classes.help}>
      <summary>
        <IconChevronRight size={14} aria-hidden />
        Which key to use, and its permissions
      </summary>
      <Stack gap={10} mt={4} py={14} px={16} className="well small">
        <p className="flush">
          Use a <strong>restricted key</strong> (rk_…) if you can: it only has the permissions you choose. A
          standard secret key (sk_…) works too. Test-mode keys import test customers, which only apply in test
          environments. Connect live mode with its own key.
        </p>
        <Box component="ol" m={0} pl={20}>
          <li>
            Open{' '}
            <a href="https://dashboard.stripe.com/apikeys" target="_blank" rel="noreferrer">
              API keys in Stripe <IconExternalLink size={13} aria-hidden className={classes.outward} />
            </a>{' '}
            and choose “Create restricted key”.
          </li>
          <li>Grant these permissions, leave the others at “None”, and paste the key here.</li>
        </Box>
        <table className={`table ${classes.permissions}`} aria-label="Permissions of a restricted key">
          <thead className="muted">
            <tr>
              <th scope="col" className="medium">
                Resource
              </th>
              <th scope="col" className="medium">
                Permission
              </th>
              <th scope="col" className="medium">
                What for
              </th>
            </tr>
          </thead>
          <tbody>
            {PERMISSIONS.map(([resource, permission, purpose]) => (
              <tr key={resource}>
                <th scope="row" className="medium">
                  {resource}
                </th>
                <td>{permission}</td>
                <td className="muted">{purpose}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Stack>
    </Box>
  );
}
