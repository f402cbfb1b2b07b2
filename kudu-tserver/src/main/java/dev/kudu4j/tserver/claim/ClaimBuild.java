package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.predicate.KeyText;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tserver.claim.ClaimClient.Other;
import dev.kudu4j.tserver.tablets.ClaimProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Claims the values of the rows that a tablet had when its index began to be enforced. The leader
 * does it, in one term; a later leader begins again, which changes nothing where a claim exists.
 *
 * <p>First, writes that have begun before must have ended. From then on all rows are claimed before
 * they are written; so the rows of any later moment are all that there are to do. They are read in
 * the order of their keys, a piece at a time.
 */
final class ClaimBuild {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ClaimBuild.class));

  private static final int PIECE_ROWS = 1_000;
  private static final long PIECE_BYTES = 1 << 20;
  private static final long RETRY_MILLIS = 500;
  private static final long REPORT_MILLIS = 1_000;
  private static final long DRAIN_MILLIS = 10;
  private static final long CALL_SECONDS = 30;

  private final ClaimServices services;
  private final TabletClaims claims;
  private final int indexId;
  private final long term;
  private final Runnable changed;
  private byte @Nullable [] after; // the key of the last row that was claimed
  private long done;

  /**
   * @param term in which this server leads the tablet
   * @param changed runs when there is something to report
   */
  ClaimBuild(
      ClaimServices services, TabletClaims claims, int indexId, long term, Runnable changed) {
    this.services = services;
    this.claims = claims;
    this.indexId = indexId;
    this.term = term;
    this.changed = changed;
  }

  int indexId() {
    return indexId;
  }

  long term() {
    return term;
  }

  void start() {
    services.executor().execute(this::awaitWrites);
  }

  /** Whether there is still something to do for this leader. */
  private boolean isWanted() {
    return claims.tablet().isRunning()
        && claims.tablet().replica().leadsIn(term)
        && encoder() != null;
  }

  private @Nullable ValueEncoder encoder() {
    return claims.indexes().enforced().stream()
        .filter(one -> one.index().definition().id() == indexId)
        .filter(one -> one.index().definition().uniqueness() == Uniqueness.ENFORCED)
        .findFirst()
        .orElse(null);
  }

  private void awaitWrites() {
    if (!isWanted()) {
      return;
    }
    if (claims.hasEarlierWrites()) {
      later(this::awaitWrites, DRAIN_MILLIS);
    } else {
      next();
    }
  }

  private void later(Runnable step, long millis) {
    services
        .timer()
        .schedule(() -> services.executor().execute(step), millis, TimeUnit.MILLISECONDS);
  }

  /** Claims the values of the next rows. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void next() {
    ValueEncoder encoder = encoder();
    if (!isWanted() || encoder == null) {
      return;
    }
    CompletableFuture<Boolean> step;
    try {
      step = claimPiece(encoder);
    } catch (IOException | RuntimeException e) {
      step = CompletableFuture.failedFuture(e);
    }
    step.whenCompleteAsync(
        (more, failure) -> {
          if (failure != null) {
            LOG.warn(
                "Tablet {}: the values of its rows cannot be claimed yet: {}",
                claims.tablet().tabletId(),
                Failures.unwrap(failure).getMessage());
            later(this::next, RETRY_MILLIS);
          } else if (more) {
            next();
          }
        },
        services.executor());
  }

  private CompletableFuture<Boolean> claimPiece(ValueEncoder encoder) throws IOException {
    RowsByKey rows = services.rows(claims, claims.indexes());
    List<RowsByKey.Row> piece = read(rows);
    if (piece.isEmpty()) {
      finish("");
      return CompletableFuture.completedFuture(false);
    }
    ValueEncoder.ValueReader values = encoder.reader(rows.projection());
    List<ClaimSession.Wish> wishes = new ArrayList<>();
    for (RowsByKey.Row row : piece) {
      ByteString value = values.of(row);
      if (value != null && !ValueEncoder.fits(value)) {
        finish(
            "the value of the row with the key "
                + KeyText.of(claims.indexes().schema(), row.key().toByteArray(), false)
                + " is too long");
        return CompletableFuture.completedFuture(false);
      }
      if (value != null) {
        wishes.add(new ClaimSession.Wish(row.key(), value));
      }
    }
    return claim(rows, values, wishes)
        .thenApply(
            duplicates -> {
              after = piece.get(piece.size() - 1).key().toByteArray();
              done += piece.size();
              if (!duplicates.isEmpty()) {
                finish(duplicates);
                return false;
              }
              progress(false, "");
              return true;
            });
  }

  private List<RowsByKey.Row> read(RowsByKey rows) throws IOException {
    ScanSpec spec =
        new ScanSpec(
            rows.projection(),
            List.of(),
            claims.tablet().tablet().latestSnapshot(),
            -1,
            null,
            null,
            after,
            true,
            false,
            PIECE_ROWS);
    List<RowsByKey.Row> piece = new ArrayList<>();
    try (TabletScanner scanner = claims.tablet().tablet().scan(spec);
        ColumnBatch batch = new ColumnBatch(services.allocator(), rows.projection())) {
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, PIECE_BYTES);
        piece.addAll(rows.rows(batch));
      }
    }
    return piece;
  }

  /**
   * Claims values.
   *
   * @return two rows that have the same value, for people; empty if there are none
   */
  private CompletableFuture<String> claim(
      RowsByKey rows, ValueEncoder.ValueReader values, List<ClaimSession.Wish> wishes) {
    ValueEncoder encoder = values.encoder();
    Map<ByteString, ByteString> owners = new HashMap<>();
    for (ClaimSession.Wish wish : wishes) {
      ByteString other = owners.putIfAbsent(wish.value(), wish.owner());
      if (other != null
          && hasValue(rows, values, wish.owner(), wish.value())
          && hasValue(rows, values, other, wish.value())) {
        return CompletableFuture.completedFuture(
            describe(encoder, wish, new Other(other, claims.tablet().tabletId())));
      }
    }
    Set<ByteString> keys =
        wishes.stream().map(ClaimSession.Wish::owner).collect(Collectors.toSet());
    KeyLocks.Lease lease = claims.locks().request(keys);
    return lease
        .granted()
        .thenComposeAsync(
            granted -> {
              // A row may have changed since it was read, and no longer have the value.
              List<ClaimSession.Wish> still = still(rows, values, wishes);
              ClaimSession session =
                  services.session(
                      encoder,
                      claims.nextStamp(term),
                      keys,
                      (owner, value) -> hasValue(rows, values, owner, value),
                      System.nanoTime() + TimeUnit.SECONDS.toNanos(CALL_SECONDS));
              return session
                  .claim(still)
                  .thenApply(
                      refused ->
                          decided(session, refused).entrySet().stream()
                              .findFirst()
                              .map(
                                  one -> describe(encoder, still.get(one.getKey()), one.getValue()))
                              .orElse(""));
            },
            services.executor())
        .whenComplete((duplicates, failure) -> lease.release());
  }

  private static List<ClaimSession.Wish> still(
      RowsByKey rows, ValueEncoder.ValueReader values, List<ClaimSession.Wish> wishes) {
    Map<ByteString, RowsByKey.Row> now =
        rows.read(wishes.stream().map(ClaimSession.Wish::owner).toList());
    return wishes.stream()
        .filter(wish -> wish.value().equals(values.of(now.get(wish.owner()))))
        .toList();
  }

  private static boolean hasValue(
      RowsByKey rows, ValueEncoder.ValueReader values, ByteString owner, ByteString value) {
    return !still(rows, values, List.of(new ClaimSession.Wish(owner, value))).isEmpty();
  }

  /** A value that another write may get is tried again. */
  private static Map<Integer, Other> decided(ClaimSession session, Map<Integer, Other> refused) {
    if (session.isUndecided()) {
      throw KuduException.serviceUnavailable("Other writes of the values take long");
    }
    return refused;
  }

  private String describe(ValueEncoder encoder, ClaimSession.Wish wish, Other other) {
    Schema schema = claims.indexes().schema();
    return "the rows with the keys "
        + KeyText.of(schema, wish.owner().toByteArray(), false)
        + " and "
        + KeyText.of(schema, other.owner().toByteArray(), false)
        + " have the value "
        + KeyText.of(schema, encoder.columnIds(), wish.value().toByteArray(), false);
  }

  private void finish(String duplicates) {
    progress(true, duplicates);
    report();
  }

  /**
   * Reports the end until the masters have taken the index to its next state: reports may overtake
   * each other.
   */
  private void report() {
    if (isWanted()) {
      changed.run();
      later(this::report, REPORT_MILLIS);
    }
  }

  private void progress(boolean finished, String duplicates) {
    claims
        .tablet()
        .noteClaims(
            new ClaimProgress(
                indexId,
                term,
                claims.tablet().statistics().liveRows(),
                done,
                finished,
                duplicates));
  }
}
