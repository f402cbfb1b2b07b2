/**
 * Which tablet servers get the replicas of a new tablet. Policy only: servers and their load in,
 * choice out.
 */
package dev.kudu4j.master.placement;
