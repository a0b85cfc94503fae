CREATE TABLE `customer_word` (
	`org_id` text NOT NULL,
	`word` text NOT NULL,
	`identifier` text NOT NULL,
	PRIMARY KEY(`org_id`, `word`, `identifier`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `known_customer` (
	`org_id` text NOT NULL,
	`identifier` text NOT NULL,
	`integration_id` text,
	`livemode` integer,
	`name` text,
	`email` text,
	`created_at` integer NOT NULL,
	`is_past_due` integer DEFAULT false NOT NULL,
	`granted_until` integer DEFAULT 0 NOT NULL,
	`overridden_until` integer DEFAULT 0 NOT NULL,
	`words` text DEFAULT '[]' NOT NULL,
	`last_seen_at` integer DEFAULT 0 NOT NULL,
	`nearest` text,
	`near_share` real DEFAULT 0 NOT NULL,
	PRIMARY KEY(`org_id`, `identifier`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `known_customer_recent` ON `known_customer` (`org_id`,`last_seen_at`,`created_at`,`identifier`);--> statement-breakpoint
CREATE INDEX `known_customer_granted` ON `known_customer` (`org_id`,`last_seen_at`,`created_at`,`identifier`) WHERE granted_until > 0;--> statement-breakpoint
CREATE INDEX `known_customer_overridden` ON `known_customer` (`org_id`,`last_seen_at`,`created_at`,`identifier`) WHERE overridden_until > 0;--> statement-breakpoint
CREATE INDEX `known_customer_past_due` ON `known_customer` (`org_id`,`last_seen_at`,`created_at`,`identifier`) WHERE is_past_due = 1;--> statement-breakpoint
CREATE INDEX `known_customer_near` ON `known_customer` (`org_id`,`near_share`,`identifier`) WHERE near_share > 0;--> statement-breakpoint
CREATE INDEX `known_customer_grant_end` ON `known_customer` (`granted_until`) WHERE granted_until > 0 AND granted_until < 9000000000000000;--> statement-breakpoint
CREATE INDEX `known_customer_override_end` ON `known_customer` (`overridden_until`) WHERE overridden_until > 0 AND overridden_until < 9000000000000000;--> statement-breakpoint
CREATE INDEX `known_customer_only_seen` ON `known_customer` (`org_id`,`last_seen_at`) WHERE integration_id IS NULL;--> statement-breakpoint
CREATE TABLE `subscription_change` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`before` text,
	`after` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `subscription_change_customer` ON `subscription_change` (`org_id`,`customer_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `subscription_change_integration` ON `subscription_change` (`integration_id`);--> statement-breakpoint
CREATE INDEX `audit_log_target` ON `audit_log` (`org_id`,`target_id`,`at`,`id`);--> statement-breakpoint
CREATE TRIGGER `known_customer_inserted` AFTER INSERT ON `known_customer` BEGIN
	INSERT OR IGNORE INTO `customer_word` (`org_id`, `word`, `identifier`) SELECT NEW.`org_id`, value, NEW.`identifier` FROM json_each(NEW.`words`);
END;--> statement-breakpoint
CREATE TRIGGER `known_customer_renamed` AFTER UPDATE OF `words` ON `known_customer` WHEN OLD.`words` IS NOT NEW.`words` BEGIN
	DELETE FROM `customer_word` WHERE `org_id` = OLD.`org_id` AND `identifier` = OLD.`identifier` AND `word` IN (SELECT value FROM json_each(OLD.`words`));
	INSERT OR IGNORE INTO `customer_word` (`org_id`, `word`, `identifier`) SELECT NEW.`org_id`, value, NEW.`identifier` FROM json_each(NEW.`words`);
END;--> statement-breakpoint
CREATE TRIGGER `known_customer_deleted` AFTER DELETE ON `known_customer` BEGIN
	DELETE FROM `customer_word` WHERE `org_id` = OLD.`org_id` AND `identifier` = OLD.`identifier` AND `word` IN (SELECT value FROM json_each(OLD.`words`));
END;--> statement-breakpoint
INSERT INTO `known_customer` (`org_id`, `identifier`, `integration_id`, `livemode`, `name`, `email`, `created_at`, `is_past_due`, `granted_until`, `overridden_until`)
SELECT s.org_id, s.id, s.integration_id, s.livemode, s.name, s.email, s.created_at,
	EXISTS (SELECT 1 FROM json_each(s.subscriptions) j WHERE j.value ->> 'status' = 'past_due'),
	coalesce((SELECT max(coalesce(g.until, 9000000000000000)) FROM customer_grant g WHERE g.org_id = s.org_id AND g.customer_identifier IN (s.id, CASE WHEN s.email_role IN ('owner', 'linked') THEN s.email END)), 0),
	coalesce((SELECT max(coalesce(g.until, 9000000000000000)) FROM customer_override g WHERE g.org_id = s.org_id AND g.customer_identifier IN (s.id, CASE WHEN s.email_role IN ('owner', 'linked') THEN s.email END)), 0)
FROM stripe_customer s
WHERE s.deleted_at IS NULL AND EXISTS (SELECT 1 FROM stripe_integration i WHERE i.id = s.integration_id AND i.deleted_at IS NULL)
ORDER BY s.created_at DESC
ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO `known_customer` (`org_id`, `identifier`, `created_at`, `granted_until`, `overridden_until`)
SELECT e.org_id, e.identifier, min(e.created_at), max(e.granted), max(e.overridden)
FROM (
	SELECT org_id, customer_identifier AS identifier, created_at, coalesce(until, 9000000000000000) AS granted, 0 AS overridden FROM customer_grant
	UNION ALL SELECT org_id, customer_identifier, created_at, 0, coalesce(until, 9000000000000000) FROM customer_override
) e
WHERE NOT EXISTS (SELECT 1 FROM stripe_customer s WHERE s.org_id = e.org_id AND s.deleted_at IS NULL AND s.email = e.identifier AND s.email_role IN ('owner', 'linked'))
GROUP BY e.org_id, e.identifier
ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE `known_customer` SET `words` = (
	WITH RECURSIVE part(rest) AS (
		SELECT lower(known_customer.identifier) UNION SELECT lower(known_customer.email) UNION SELECT lower(known_customer.name)
		UNION SELECT substr(rest, instr(replace(replace(replace(replace(replace(replace(replace(rest, '@', ' '), '.', ' '), '_', ' '), '-', ' '), '+', ' '), ':', ' '), '/', ' '), ' ') + 1) FROM part WHERE instr(replace(replace(replace(replace(replace(replace(replace(rest, '@', ' '), '.', ' '), '_', ' '), '-', ' '), '+', ' '), ':', ' '), '/', ' '), ' ') > 0 AND length(rest) - instr(replace(replace(replace(replace(replace(replace(replace(rest, '@', ' '), '.', ' '), '_', ' '), '-', ' '), '+', ' '), ':', ' '), '/', ' '), ' ') >= 4
	)
	SELECT json_group_array(word) FROM (SELECT DISTINCT substr(rest, 1, 200) AS word FROM part WHERE rest <> '' ORDER BY 1)
);
