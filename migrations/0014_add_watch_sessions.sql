CREATE TABLE `watch_session` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`environment_id` text,
	`integration_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `watch_session_user` ON `watch_session` (`user_id`,`org_id`);