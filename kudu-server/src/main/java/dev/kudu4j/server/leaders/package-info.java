/**
 * Calls from server to server that must reach a leader: the {@linkplain
 * dev.kudu4j.server.leaders.LeadingMaster leading master}, the {@linkplain
 * dev.kudu4j.server.leaders.TabletLeaders leader of a tablet}, and the {@linkplain
 * dev.kudu4j.server.leaders.CoordinatorClient coordinator of a transaction}. All of them find the
 * leader again when it has changed.
 */
@NullMarked
package dev.kudu4j.server.leaders;

import org.jspecify.annotations.NullMarked;
