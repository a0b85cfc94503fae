/** Downloads what an application keeps of a version. */
import { Menu } from '@mantine/core';
import { IconBraces, IconBrandTypescript } from '@tabler/icons-react';
import { type Artifact, artifactEndpoints } from '#contracts/console/artifacts';
import { addressOf } from '#web/api/call.ts';
import { useOrgId } from '#web/session/organisation.tsx';

export function DownloadItems({ version: { artifactId } }: { readonly version: Artifact }) {
  const orgId = useOrgId();
  const params = { orgId, artifactId };
  return (
    <>
      <Menu.Item
        component="a"
        href={addressOf(artifactEndpoints.exportTypes, params, {})}
        download
        leftSection={<IconBrandTypescript size={15} aria-hidden />}
      >
        Types for your app
      </Menu.Item>
      <Menu.Item
        component="a"
        href={addressOf(artifactEndpoints.exportJson, params, {})}
        download
        leftSection={<IconBraces size={15} aria-hidden />}
      >
        JSON for your tests
      </Menu.Item>
    </>
  );
}
