/** Below the forms: what Tessera is can be read without an account. */
import { Anchor } from '@mantine/core';
import { paths } from '#web/paths.ts';
import { SiteLink } from '#web/ui/page/site-history.tsx';

export function GuidesLink() {
  return (
    <Anchor component={SiteLink} to={paths.docs()} display="block" mt={8}>
      Guides
    </Anchor>
  );
}
