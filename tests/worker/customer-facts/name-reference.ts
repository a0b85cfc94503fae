// Whose a name is, which names a customer has and whose plans a check by it has, as docs/names.md says it, in the plainest way.

/** A Stripe customer of an account in one mode. Its subscription has one of the account's two plans. */
export interface StripeModel {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly isLive: boolean;
  readonly createdAt: number;
  email: string | null;
  /** What its metadata says: the ID of a created customer, or a user ID. */
  metadata: string | null;
  readonly plan: string;
  isDeleted: boolean;
  /** Whether it was decided to own its email, or a person has linked that, and as the how manieth of all. */
  role?: { readonly is: 'owner' | 'linked'; readonly at: number };
  /** When it got its email. */
  emailAt: number;
}

export interface CreatedModel {
  readonly id: string;
  email: string | null;
  userId: string | null;
  /** By account: the Stripe customer of which a call or a person said that it is this one. */
  readonly said: Map<string, string>;
}

export interface EnvironmentModel {
  readonly name: string;
  readonly isLive: boolean;
  /** Those that were created here. */
  readonly created: CreatedModel[];
}

export interface FamilyModel {
  /** All that may be names of customers, apart from the IDs of Stripe customers. */
  readonly names: readonly string[];
  readonly stripe: StripeModel[];
  readonly environments: readonly EnvironmentModel[];
  /** Accounts whose metadata says nothing, because they name no key of it. */
  readonly unkeyed: ReadonlySet<string>;
}

export interface Expected {
  /** Itself, if the name is nobody's. */
  readonly customer: string;
  readonly plans: readonly string[];
  readonly aliases: readonly string[];
}

export function expectedOf(family: FamilyModel, environment: EnvironmentModel, name: string): Expected {
  const customer = ownerOf(family, environment, name) ?? name;
  const seen = seenIn(family, environment);
  const all = [...new Set([...family.names, ...seen.map(({ id }) => id)])];
  const aliases = all.filter((each) => each !== customer && ownerOf(family, environment, each) === customer);
  const theirs = seen.filter((each) => whoIs(family, environment, each) === customer);
  const sharing = seen.filter(({ id, email }) => email === name && id !== name);
  // What a call says of a customer goes before its metadata, and of an account in which a customer is one already, no other one counts.
  const isCreated = environment.created.some(({ id }) => id === customer);
  const others = seen.filter((each) => {
    if (saysOf(family, each) !== name) return false;
    if (isCreated && ![each.id, customer].includes(whoIs(family, environment, each))) return false;
    return name !== customer || !theirs.some(({ account }) => account === each.account);
  });
  const isExact = seen.some(({ id }) => id === name);
  const paying = isExact ? theirs : [...theirs, ...sharing, ...others];
  return {
    customer,
    plans: [...new Set(paying.map(({ plan }) => plan))].toSorted(),
    aliases: aliases.toSorted(),
  };
}

function ownerOf(family: FamilyModel, environment: EnvironmentModel, name: string): string | null {
  const claimants = seenIn(family, environment).map((one) => ({
    one,
    who: whoIs(family, environment, one),
  }));
  return ownerAmong(family, environment.created, claimants, name);
}

/** Where no environment is asked about: a Stripe customer is who it is in that of its mode. */
export function ownerInAny(family: FamilyModel, name: string): string | null {
  const { stripe, environments } = family;
  const claimants = stripe
    .filter(({ isDeleted }) => !isDeleted)
    .map((one) => {
      const ofMode = environments.find(({ isLive }) => isLive === one.isLive);
      return { one, who: ofMode === undefined ? one.id : whoIs(family, ofMode, one) };
    });
  const liveFirst = environments.toSorted((a, b) => Number(b.isLive) - Number(a.isLive));
  return ownerAmong(
    family,
    liveFirst.flatMap(({ created }) => created),
    claimants,
    name,
  );
}

/** Null: it is nobody's. */
function ownerAmong(
  family: FamilyModel,
  created: readonly CreatedModel[],
  claimants: readonly { readonly one: StripeModel; readonly who: string }[],
  name: string,
): string | null {
  const whoOf = (is: (one: StripeModel) => boolean) => [
    ...new Set(claimants.filter(({ one }) => is(one)).map(({ who }) => who)),
  ];
  if (created.some(({ id }) => id === name)) return name;
  const exact = whoOf(({ id }) => id === name);
  if (exact.includes(name)) return name;
  if (exact.length > 0) return exact.length === 1 ? (exact[0] ?? null) : null;
  const maker = created.find(({ email, userId }) => email === name || userId === name);
  if (maker !== undefined) return maker.id;
  const owner = ownerOfEmail(
    claimants.map(({ one }) => one),
    name,
  );
  if (owner !== undefined) return claimants.find(({ one }) => one === owner)?.who ?? null;
  const carriers = whoOf((one) => saysOf(family, one) === name);
  return carriers.length === 1 ? (carriers[0] ?? null) : null;
}

/** The last linked one, else the first owner. */
export function ownerOfEmail(seen: readonly StripeModel[], email: string): StripeModel | undefined {
  const order = ({ role }: StripeModel) => (role?.is === 'linked' ? -role.at : (role?.at ?? 0));
  return seen
    .filter((each) => each.email === email && each.role !== undefined)
    .toSorted((a, b) => order(a) - order(b))[0];
}

export function seenIn({ stripe }: FamilyModel, { isLive }: EnvironmentModel): StripeModel[] {
  return stripe.filter((each) => !each.isDeleted && (each.isLive || !isLive));
}

/** Itself, or the created customer that it is: by a call, or by metadata of which no call says another one, and which no second one of the account has. */
export function whoIs(family: FamilyModel, { created }: EnvironmentModel, one: StripeModel): string {
  const said = created.find((each) => each.said.get(one.account) === one.id);
  if (said !== undefined) return said.id;
  const named = created.find(({ id }) => id === saysOf(family, one));
  if (named === undefined) return one.id;
  const others = family.stripe.filter(
    (other) => other !== one && other.account === one.account && !other.isDeleted,
  );
  const isAnother = others.some(
    (other) => other.id === named.said.get(one.account) || other.metadata === one.metadata,
  );
  return isAnother ? one.id : named.id;
}

/** What its metadata says, by the key of its account. */
const saysOf = ({ unkeyed }: FamilyModel, { account, metadata }: StripeModel) =>
  unkeyed.has(account) ? null : metadata;

let roles = 0;

/** Stripe has said something new of the email: who owns it may be decided. */
export function decideOwner({ stripe }: FamilyModel, email: string): void {
  const here = stripe.filter((each) => !each.isDeleted && each.email === email);
  // Live environments see live customers only.
  for (const isLive of [true, false]) {
    if (here.some((each) => each.role !== undefined && (each.isLive || !isLive))) continue;
    const [first] = here.filter((each) => each.isLive === isLive).toSorted((a, b) => a.emailAt - b.emailAt);
    if (first !== undefined) first.role = { is: 'owner', at: ++roles };
  }
}

/** A person says whose the email is. */
export function linkEmail({ stripe }: FamilyModel, one: StripeModel, email: string): void {
  const present = stripe.filter(({ isDeleted }) => !isDeleted);
  if (ownerOfEmail(present, email) !== one) one.role = { is: 'linked', at: ++roles };
}
