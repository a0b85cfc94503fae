CREATE TABLE `workflow_test` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`name` text NOT NULL,
	`input` text NOT NULL,
	`seed` text NOT NULL,
	`input_hash` text NOT NULL,
	`expected` text,
	`created_at` integer NOT NULL,
	`created_by_user_id` text,
	`status` text,
	`message` text,
	`result` text,
	`code_hash` text,
	`ran_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workflow_id`) REFERENCES `workflow`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workflow_test_input` ON `workflow_test` (`workflow_id`,`input_hash`);--> statement-breakpoint
CREATE INDEX `workflow_test_org` ON `workflow_test` (`org_id`);--> statement-breakpoint
CREATE TABLE `workflow_trial_code` (
	`org_id` text NOT NULL,
	`day_at` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`org_id`, `day_at`, `hash`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `workflow_trial_code_day` ON `workflow_trial_code` (`day_at`);