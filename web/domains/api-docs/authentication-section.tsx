/** How a call selects its environment, and what each key type may do. */
import { Anchor, Box, Flex, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import classes from './docs-page.module.css';
import { Prose } from './prose.tsx';

const KEYS = [
  {
    key: 'tsr_sec_…',
    name: 'Secret',
    place: 'Servers only',
    may: 'Can identify any user by userIdentifier, count usage and read explanations.',
  },
  {
    key: 'tsr_pub_…',
    name: 'Public',
    place: 'Browsers and apps',
    may: 'Checks anonymous sessions, and users with a signed token (userJwt).',
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
      <Box
        className="grid gap-12"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 300px), 1fr))' }}
      >
        {KEYS.map(({ key, name, place, may }) => (
          <Stack key={key} gap={6} fz="sm" py={14} px={16} className="card">
            <Flex gap="2px 10px" wrap="wrap" align="baseline">
              <strong className="bold">{name}</strong>
              <code>{key}</code>
              <span className="muted">{place}</span>
            </Flex>
            <span className="muted">{may}</span>
          </Stack>
        ))}
      </Box>
      {orgId !== null && (
        <Anchor component={Link} to={paths.environments(orgId, 'environments')} size="sm">
          Create keys in your environments
        </Anchor>
      )}
    </section>
  );
}
