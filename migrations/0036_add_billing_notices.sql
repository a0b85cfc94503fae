ALTER TABLE `organisation_billing` ADD `current_period_start_at` integer;--> statement-breakpoint
ALTER TABLE `organisation_billing` ADD `fell_at` integer;--> statement-breakpoint
ALTER TABLE `organisation_billing` ADD `grace_until` integer;--> statement-breakpoint
ALTER TABLE `organisation_billing` ADD `notice` text;--> statement-breakpoint
CREATE INDEX `organisation_billing_grace` ON `organisation_billing` (`grace_until`) WHERE grace_until IS NOT NULL;