/** "See it work first" with the code of its check: a command that runs as it is, and the same with the client. */
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { curlFor } from '#web/domains/environments/keys/curl-for.ts';
import type { CheckedTemplate } from '#web/domains/templates/kept-template.ts';
import { SeeItWork } from '#web/domains/templates/see-it-work.tsx';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { ChoiceBar } from '#web/ui/inputs/choice-bar.tsx';
import { clientExample } from '#web/values/client-example.ts';
import { LocalInstallNote } from '#web/values/local-install-note.tsx';

const LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'client', label: 'Client' },
] as const;
type Language = (typeof LANGUAGES)[number]['id'];

export function SeeItWorkFirst({ orgId }: { orgId: string }) {
  return <SeeItWork orgId={orgId} snippetOf={(applied) => <Snippet applied={applied} />} />;
}

function Snippet({ applied: { customer, checks, environments } }: { applied: CheckedTemplate }) {
  const [language, setLanguage] = useState<Language>('curl');
  const { origin } = window.location;
  const [production] = environments;
  const key = production?.secretKey;
  const code =
    language === 'curl'
      ? curlFor(origin, 'secret', key, customer)
      : clientExample({
          origin,
          type: 'secret',
          key,
          feature: checks[0]?.feature,
          subject: { user: customer },
        });
  return (
    <Stack gap={8}>
      <Text>Run it yourself. It contains {production?.name}’s secret key: keep it on your server.</Text>
      <CodeBlock
        label="the code"
        code={code}
        head={<ChoiceBar label="Language" choices={LANGUAGES} chosen={language} onChoose={setLanguage} />}
      />
      {language === 'client' && <LocalInstallNote origin={origin} />}
    </Stack>
  );
}
