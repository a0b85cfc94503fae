CREATE TABLE `checkout_session` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `checkout_session_org` ON `checkout_session` (`org_id`);--> statement-breakpoint
INSERT INTO `checkout_session` (`id`, `org_id`, `opened_at`, `expires_at`)
SELECT `checkout_session_id`, `org_id`, `checkout_expires_at` - 86400000, `checkout_expires_at` FROM `organisation_billing`
WHERE `checkout_session_id` IS NOT NULL AND `checkout_expires_at` IS NOT NULL;
