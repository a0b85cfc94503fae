/** When a version was created, and by whom. */
import { Box } from '@mantine/core';
import type { Artifact } from '#contracts/console/artifacts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { Age } from '#web/ui/labels/age.tsx';

export function VersionCreated({ version }: { version: Artifact }) {
  const orgId = useOrgId();
  const { createdAt, createdByUserId } = version;
  return (
    <span>
      <Age at={createdAt} />
      {createdByUserId !== null && (
        <>
          {' '}
          <Box
            component="span"
            display="inline-block"
            maw="100%"
            className="truncate"
            style={{ verticalAlign: 'bottom' }}
          >
            by <MemberName orgId={orgId} userId={createdByUserId} />
          </Box>
        </>
      )}
    </span>
  );
}
