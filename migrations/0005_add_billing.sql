CREATE TABLE `billable_usage` (
	`org_id` text NOT NULL,
	`hour_at` integer NOT NULL,
	`stripe_customer_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`used_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`uncertain_since` integer,
	`sent_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer,
	`error` text,
	PRIMARY KEY(`org_id`, `hour_at`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `billable_usage_due` ON `billable_usage` (`next_try_at`) WHERE next_try_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `organisation_billing` (
	`org_id` text PRIMARY KEY NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`subscription_status` text,
	`current_period_end_at` integer,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`checkout_session_id` text,
	`checkout_expires_at` integer,
	`billed_calls` integer DEFAULT 0 NOT NULL,
	`counted_hour_at` integer,
	`blocked_month_at` integer,
	`waived_month_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organisation_billing_counted` ON `organisation_billing` (`counted_hour_at`) WHERE counted_hour_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `organisation_billing_blocked` ON `organisation_billing` (`blocked_month_at`) WHERE blocked_month_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `usage_notice` (
	`org_id` text NOT NULL,
	`month_at` integer NOT NULL,
	`level` text NOT NULL,
	`total` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `month_at`, `level`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
