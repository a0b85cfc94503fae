/** How a call selects its environment, and what each key type may do. */
import { Anchor, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import cards from './authentication.module.css';
import classes from './docs-page.module.css';
import { Prose } from './prose.tsx';

const KEYS = [
  {
    key: 'tsr_sec_…',
    name: 'Secret',
    place: 'Servers only',
    may: 'Believed when it names the user by userIdentifier. Counts usage. Gets explanations.',
  },
  {
    key: 'tsr_pub_…',
    name: 'Public',
    place: 'Browsers and apps',
    may: 'Asks for anonymous sessions, and for users whose token (userJwt) can be verified.',
  },
] as const;

export function AuthenticationSection({
  id,
  text,
  orgId,
}: {
  id: string;
  text: string;
  orgId: string | null;
}) {
  const [lead = ''] = text.split('\n\n');
  return (
    <section className={classes.section} id={id} aria-labelledby={`${id}-title`}>
      <Title order={2} id={`${id}-title`} fz="1.0625rem" style={{ letterSpacing: '-0.01em' }}>
        Authentication
      </Title>
      <Prose text={lead} />
      <div className={cards.keys}>
        {KEYS.map(({ key, name, place, may }) => (
          <div key={key} className={cards.key}>
            <div className={cards.keyHead}>
              <strong>{name}</strong>
              <code>{key}</code>
              <span className="muted">{place}</span>
            </div>
            <span className="muted">{may}</span>
          </div>
        ))}
      </div>
      {orgId !== null && (
        <Anchor component={Link} to={paths.environments(orgId, 'environments')} size="sm">
          Make keys in your environments
        </Anchor>
      )}
    </section>
  );
}
