/** The API description as a page, in reading order. */
import { Anchor, Box, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { accessEndpoints } from '#contracts/public/access';
import { provisioningEndpoints } from '#contracts/public/customers';
import { holdEndpoints } from '#contracts/public/holds';
import { meteringEndpoints } from '#contracts/public/metering';
import { ofrepEndpoints } from '#contracts/public/ofrep';
import type { OpenApiDocument, PathItem } from '#contracts/public/openapi';
import { salesEndpoints } from '#contracts/public/sales';
import { paths } from '#web/paths.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { clientExample } from '#web/values/client-example.ts';
import { LocalInstallNote } from '#web/values/local-install-note.tsx';
import { AuthenticationSection } from './authentication-section.tsx';
import { CodeList } from './code-list.tsx';
import classes from './docs-page.module.css';
import { OperationSection } from './operation-section.tsx';
import { docsEntries } from './search-document.ts';
import { type DocsSection, SectionNav } from './section-nav.tsx';

const SECTIONS: readonly DocsSection[] = [
  { id: 'client', label: 'Client' },
  { id: 'authentication', label: 'Authentication' },
  { id: 'access-checks', label: 'Access checks' },
  { id: 'try-it', label: 'Try it' },
  { id: 'counter-updates', label: 'Counter updates' },
  { id: 'holds', label: 'Holds' },
  { id: 'openfeature', label: 'OpenFeature' },
  { id: 'plans', label: 'Plans' },
  { id: 'customers', label: 'Customers' },
  { id: 'errors', label: 'Errors' },
  { id: 'error-codes', label: 'Error codes' },
  { id: 'warnings', label: 'Warnings' },
];

const OPERATIONS = [
  { id: 'access-checks', title: 'Access checks', ...accessEndpoints.check },
  { id: 'access-checks-batch', title: 'Many checks', ...accessEndpoints.checkMany },
  { id: 'counter-updates', title: 'Counter updates', ...meteringEndpoints.update },
  { id: 'counter-updates-batch', title: 'Batches', ...meteringEndpoints.updateMany },
  { id: 'holds', title: 'Holds', ...holdEndpoints.open },
  { id: 'holds-extend', title: 'Extend a hold', ...holdEndpoints.extend },
  { id: 'holds-settle', title: 'Settle a hold', ...holdEndpoints.settle },
  { id: 'openfeature', title: 'OpenFeature', ...ofrepEndpoints.evaluateAll },
  { id: 'openfeature-flag', title: 'One flag', ...ofrepEndpoints.evaluate },
  { id: 'plans', title: 'Plans', ...salesEndpoints.listPlans },
  { id: 'plans-checkout', title: 'Checkout', ...salesEndpoints.openCheckout },
  { id: 'plans-preview', title: 'Preview of a price', ...salesEndpoints.previewPurchase },
  { id: 'plans-portal', title: 'Customer portal', ...salesEndpoints.openPortal },
  ...Object.entries(provisioningEndpoints).map(([name, call]) => ({
    id: name === 'read' ? 'customers' : `customers-${name}`,
    title: name === 'read' ? 'Customers' : call.summary,
    ...call,
  })),
];

/** In the page's order. An operation that the server does not describe is left out. */
function describedOperations({ paths: described }: OpenApiDocument) {
  return OPERATIONS.flatMap(({ id, title, method, path: pattern }) => {
    const path = pattern.replace(/:(\w+)/g, '{$1}');
    const operation = described[path]?.[method.toLowerCase() as keyof PathItem];
    return operation === undefined ? [] : [{ id, title, method, path, operation }];
  });
}

export interface ApiReferenceProps {
  readonly description: OpenApiDocument;
  readonly orgId: string | null;
  /** Slug of a feature for the client's example. */
  readonly feature: string | undefined;
  /** The try-it form, rendered after the section on checks. */
  readonly trial: ReactNode;
}

export function ApiReference({ description, orgId, feature, trial }: ApiReferenceProps) {
  useArrival();
  const { components, servers } = description;
  const origin = servers[0]?.url ?? window.location.origin;
  const operations = useMemo(() => describedOperations(description), [description]);
  const entries = useMemo(() => docsEntries(description, operations), [description, operations]);
  const [checks, ...others] = operations.map(({ id, title, path, method, operation }) => (
    <OperationSection
      key={id}
      id={id}
      title={title}
      path={path}
      method={method}
      serverUrl={origin}
      operation={operation}
      schemas={components.schemas}
    />
  ));
  return (
    <div className={classes.layout}>
      <SectionNav sections={SECTIONS} entries={entries} />
      <Stack gap={56} miw={0} style={{ container: 'docs / inline-size' }}>
        <PageSection
          id="client"
          title="Client"
          text="For TypeScript on servers, at the edge and in browsers: responses are cached while they are valid, usage is counted once, and every wait ends. Other languages call the API below, or use an OpenFeature provider."
        >
          <Anchor component={Link} to={paths.docs()} size="sm">
            Guides for Next.js, Hono, Express, React and OpenFeature
          </Anchor>
          <LocalInstallNote origin={origin} />
          <CodeBlock
            label="the client"
            head="Secret keys, on a server"
            code={clientExample({ origin, type: 'secret', feature, subject: { user: 'ada@example.com' } })}
          />
          <CodeBlock
            label="the client in a browser"
            head="Public keys, in a browser"
            code={clientExample({ origin, type: 'public', feature, subject: { token: '<the user’s JWT>' } })}
          />
        </PageSection>
        <AuthenticationSection
          id="authentication"
          text={components.securitySchemes.apiKey?.description ?? ''}
          orgId={orgId}
        />
        {checks}
        <PageSection
          id="try-it"
          title="Try it"
          text="Runs an access check against your preview environment. It is not recorded or counted."
        >
          {trial}
        </PageSection>
        {others}
        <PageSection
          id="errors"
          title="Errors"
          text="A failed request returns an error body with status, requestId, errorType, code and message, and issues for invalid fields."
        >
          <CodeList
            label="errors"
            entries={description['x-errors'].map(({ errorType, status, meaning, advice, isRetryable }) => ({
              code: errorType,
              meaning,
              advice,
              aside: (
                <span className="muted tiny figures">
                  {status} · {isRetryable ? 'can be retried' : 'do not retry'}
                </span>
              ),
            }))}
          />
        </PageSection>
        <PageSection
          id="error-codes"
          title="Error codes"
          text="code in an error body tells apart what has the same errorType. Ignore unknown codes, because new ones may be added."
        >
          <CodeList
            label="error codes"
            entries={description['x-refusals'].map(({ code, errorType, meaning, advice }) => ({
              code,
              meaning,
              advice,
              aside: <span className="muted tiny">{errorType}</span>,
            }))}
          />
        </PageSection>
        <PageSection
          id="warnings"
          title="Warnings"
          text="A successful response can contain warnings. Ignore unknown codes, because new ones may be added."
        >
          <CodeList
            label="warnings"
            entries={description['x-warnings'].map(({ code, message, advice }) => ({
              code,
              advice,
              meaning: `${message}.`,
            }))}
          />
        </PageSection>
      </Stack>
    </div>
  );
}

interface PageSectionProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function PageSection({ id, title, text, children }: PageSectionProps) {
  return (
    <section className={classes.section} id={id} aria-labelledby={`${id}-title`}>
      <Title order={2} id={`${id}-title`} fz="1.0625rem" style={{ letterSpacing: '-0.01em' }}>
        {title}
      </Title>
      <Box component="p" m={0} c="dimmed" maw="68ch">
        {text}
      </Box>
      {children}
    </section>
  );
}

/** A link to a section can be followed before the section is rendered: scrolls to it once the page is. */
function useArrival(): void {
  const { hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; the router follows later links.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, []);
}
