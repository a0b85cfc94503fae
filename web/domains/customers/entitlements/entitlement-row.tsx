/** One property of a customer: value or usage, what decided it, its actions, and the override editor while it is open. */
import { Menu } from '@mantine/core';
import { IconAdjustments, IconPencil, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CustomerEntitlements, CustomerOverride, Entitlement } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { FeatureProperty } from '#contracts/console/features';
import { sentence } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { BreakableEmail } from '#web/ui/labels/breakable-email.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import chips from '../chip.module.css';
import type { CostNote } from '../costs/cost-notes.ts';
import type { EntryFor } from '../manual/manual-entries.ts';
import { EntitlementValue } from './entitlement-value.tsx';
import classes from './entitlements-table.module.css';
import type { NamedOverride } from './remove-override-dialog.tsx';

/** Forms are loaded when one opens. */
const overrideEditor = codeApart(async () => (await import('./override-editor.tsx')).OverrideEditor);

export interface EntitlementRowProps {
  readonly identifier: string;
  readonly entitlement: Entitlement;
  readonly note: CostNote | undefined;
  readonly plans: CustomerEntitlements['plans'];
  /** In the workspace. Undefined if it was deleted since: it cannot be overridden any more. */
  readonly property: FeatureProperty | undefined;
  /** The override that applies. */
  readonly override: EntryFor<CustomerOverride> | undefined;
  /** The one that is looked at. */
  readonly environmentId: string;
  readonly environments: readonly Environment[];
  /** In place of the property's name: the feature that it turns on. */
  readonly head?: ReactNode;
  readonly isEdited: boolean;
  /** Opens the editor of a property; null: closes the open one. Asks before unsaved input is lost. */
  readonly onEdit: (propertyId: string | null) => Promise<void>;
  /** Closes this property's editor, without asking. */
  readonly onClose: () => void;
  readonly onRemove: (override: NamedOverride) => void;
  readonly onCorrect: () => void;
  readonly onAddBalance: () => void;
}

export function EntitlementRow(props: EntitlementRowProps) {
  const { identifier, entitlement, property, override, environmentId, environments, head } = props;
  const name = sentence`${entitlement.featureName} ${entitlement.property}`;
  return (
    <>
      <div className={classes.row} data-head={head !== undefined || undefined}>
        {head ?? (
          <span className="shrink breaks">
            {entitlement.propertyName} <code className="muted tiny mono">{entitlement.property}</code>
          </span>
        )}
        <span className="shrink">
          <Value {...props} name={name} />
        </span>
        <span className="shrink muted breaks">
          <Provenance {...props} />
        </span>
        <span className={classes.actions}>
          <Actions {...props} name={name} />
        </span>
      </div>
      {props.isEdited && property !== undefined && (
        <OptionalPart
          key={environmentId}
          code={overrideEditor}
          props={{
            ...{ identifier: override?.of ?? identifier, name, property, override },
            ...{ value: entitlement.value, environmentId, environments, onClose: props.onClose },
          }}
          onFailure={props.onClose}
        />
      )}
    </>
  );
}

/** The value is the button that overrides it. */
function Value(props: EntitlementRowProps & { readonly name: string }) {
  const { entitlement, note, property, override, isEdited, onEdit, name } = props;
  if (property === undefined) return <EntitlementValue entitlement={entitlement} note={note} />;
  return (
    <button
      type="button"
      className={classes.value}
      aria-expanded={isEdited}
      onClick={() => void onEdit(isEdited ? null : entitlement.propertyId)}
    >
      <VisuallyHidden>
        {override === undefined ? 'Override' : 'Edit override of'} {name}:{' '}
      </VisuallyHidden>
      <EntitlementValue entitlement={entitlement} note={note} />
    </button>
  );
}

/** What decided the value; of an override, also for whom, until when and why. */
function Provenance({ identifier, entitlement, plans, override }: EntitlementRowProps) {
  return (
    <>
      <Hint label={entitlement.reason}>
        <span>
          <DecidedBy entitlement={entitlement} plans={plans} hasOverride={override !== undefined} />
        </span>
      </Hint>
      {override !== undefined && (
        <span className="tiny">
          {' · '}
          {override.of !== identifier && (
            <>
              via <BreakableEmail email={override.of} />
              {' · '}
            </>
          )}
          {override.until !== null && (
            <>
              Ends <Age at={override.until} />
              {' · '}
            </>
          )}
          {override.reason}
        </span>
      )}
    </>
  );
}

function Actions(props: EntitlementRowProps & { readonly name: string }) {
  const { entitlement, property, override, onEdit, onRemove, onCorrect, onAddBalance, name } = props;
  const { value, propertyId } = entitlement;
  const isMetered = typeof value === 'object' && value.state === 'metered';
  const isCorrectable = isMetered && !value.meter.uniqueResourceIds;
  return (
    <>
      {(override !== undefined || isCorrectable) && (
        <RowMenu name={name}>
          {override !== undefined && (
            <>
              {property !== undefined && (
                <Menu.Item
                  leftSection={<IconPencil size={15} aria-hidden />}
                  onClick={() => void onEdit(propertyId)}
                >
                  Edit override
                </Menu.Item>
              )}
              <RemoveItem
                onClick={() =>
                  onRemove({
                    ...override,
                    name: sentence`${entitlement.featureName} › ${entitlement.propertyName}`,
                  })
                }
              >
                Remove override
              </RemoveItem>
            </>
          )}
          {isCorrectable && (
            <Menu.Item leftSection={<IconAdjustments size={15} aria-hidden />} onClick={onCorrect}>
              Adjust usage…
            </Menu.Item>
          )}
          {isCorrectable && (
            <Menu.Item leftSection={<IconPlus size={15} aria-hidden />} onClick={onAddBalance}>
              Add balance…
            </Menu.Item>
          )}
        </RowMenu>
      )}
    </>
  );
}

function DecidedBy({
  entitlement: { decidedBy, isSystem },
  plans,
  hasOverride,
}: Pick<EntitlementRowProps, 'entitlement' | 'plans'> & { readonly hasOverride: boolean }) {
  if (decidedBy === 'default') return isSystem ? 'No plan includes it' : 'Default';
  if (!Array.isArray(decidedBy)) {
    const label = hasOverride ? 'Override' : decidedBy.override;
    return (
      <span className={chips.chip} data-kind="override">
        {label}
      </span>
    );
  }
  return decidedBy.map((slug) => plans.find((plan) => plan.slug === slug)?.name ?? slug).join(', ');
}
