package dev.kudu4j.master.tables;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.reconcile.ClusterView;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The state and services that tasks use.
 *
 * @param view the reconciler's view of the cluster at present
 * @param reader reads the tablet reports in responses
 * @param recorder records the consequences of responses in the catalog
 * @param replacer handles permanent refusals
 * @param worker runs actions that may block while the catalog is written
 */
record TaskContext(
    Catalog catalog,
    ObservedTablets observed,
    ServerRegistry servers,
    Supplier<ClusterView> view,
    TabletServerCalls calls,
    ReportReader reader,
    ReportRecorder recorder,
    TabletReplacer replacer,
    MemberSelector members,
    HybridClock clock,
    Executor worker) {}
