package dev.kudu4j.server.replica.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftFailures;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches the writes of a tablet into log entries.
 *
 * <p>A Raft round is expensive, and its cost hardly depends on the size of the entry. While an
 * entry is in flight, arriving requests wait, and together they form the next entry. A single
 * writer pays one round per request; sixty-four writers share one round. If many bytes wait, a
 * second entry is submitted immediately, and is logged while the first is applied.
 *
 * <pre>
 *   requests --&gt; [ waiting pieces ] --&gt; entry --&gt; Raft --&gt; apply --&gt; answers
 *                        ^                                    |
 *                        +--------- next entry ---------------+
 * </pre>
 *
 * <p>The pieces of a large request stay in order, because only one thread submits at a time.
 * Thread-safe; nothing is submitted, encoded or answered under the lock.
 */
public final class WriteQueue implements PendingEntry.Owner {
  /** Bytes of an entry that are not row data. */
  private static final int ENTRY_OVERHEAD_BYTES = 16 << 10;

  private static final int MAX_ENTRIES_UNDER_WAY = 2;

  /** How often requests that may not be logged are searched for those whose deadline has passed. */
  private static final int LOOK_AGAIN_MILLIS = 50;

  /**
   * Limits of a queue, in bytes of row data.
   *
   * @param maxEntryBytes largest entry that Raft accepts
   * @param maxQueuedBytes maximum bytes queued or in flight; requests that would exceed this limit
   *     are rejected. A single larger request is admitted if nothing is queued or in flight.
   * @param pipelineBytes if at least this many bytes wait, an entry is submitted although another
   *     one is in flight
   */
  public record Limits(int maxEntryBytes, int maxQueuedBytes, int pipelineBytes) {}

  private final String tabletId;
  private final int maxEntryBytes;
  private final RequestCutter cutter;
  private final Limits limits;
  private final WriteAdmission admission;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private final BooleanSupplier mayLog;
  private final Consumer<PendingEntry> submit;

  private final WriteCounters counters = new WriteCounters();
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();

  @GuardedBy("this")
  private final ArrayDeque<PendingRequest.Piece> waiting = new ArrayDeque<>();

  /** Steps of transactions, which are logged before all writes. */
  @GuardedBy("this")
  private final WaitingSteps steps = new WaitingSteps();

  /** Whether the queue will be pumped although nothing happens. */
  @GuardedBy("this")
  private boolean timerIsSet;

  @GuardedBy("this")
  private final BlockedRequests blocked = new BlockedRequests();

  @GuardedBy("this")
  private long waitingBytes;

  @GuardedBy("this")
  private long admittedBytes;

  @GuardedBy("this")
  private int underWay;

  @GuardedBy("this")
  private boolean submitting;

  @GuardedBy("this")
  private @Nullable KuduException closed;

  /**
   * @param executor runs the submission of the next entry after one was applied; its tasks may
   *     block
   * @param mayLog whether writes may be logged now; if not, a step of a transaction will come
   * @param submit passes an entry to Raft, which reports the outcome to the entry; does not throw
   */
  WriteQueue(
      String tabletId,
      Limits limits,
      WriteAdmission admission,
      Executor executor,
      LongSupplier nanoTime,
      BooleanSupplier mayLog,
      Consumer<PendingEntry> submit) {
    this.tabletId = tabletId;
    this.maxEntryBytes = limits.maxEntryBytes - ENTRY_OVERHEAD_BYTES;
    this.cutter = new RequestCutter(maxEntryBytes);
    this.limits = limits;
    this.admission = admission;
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.mayLog = mayLog;
    this.submit = submit;
  }

  /**
   * Admits a request. The response completes once the request is applied, or fails.
   *
   * @throws KuduException SERVICE_UNAVAILABLE if a limit is reached, INVALID_ARGUMENT or CORRUPTION
   *     for rows that can never be logged or applied; in these cases the caller completes the
   *     response
   */
  void add(
      WriteSubmission submission,
      @Nullable CallTimeline timeline,
      CompletableFuture<RequestResult> answer) {
    PendingRequest request =
        new PendingRequest(
            submission.deadlineNanos(),
            submission.term(),
            submission.bytes(),
            submission.size().memoryBytes(),
            timeline,
            answer);
    checkMemory(request);
    request.pieces(cutter.cut(request, submission));
    admit(request);
    requests.incrementAndGet();
    pump();
  }

  /** Throws if the memory for rows does not admit the request. */
  private void checkMemory(PendingRequest request) {
    if (request.memoryBytes > admission.maxRequestMemoryBytes()) {
      throw KuduException.invalidArgument(
          "The rows of the write would take %d bytes of memory, and those of one request may take"
              + " at most %d on this server; send fewer rows at a time",
          request.memoryBytes, admission.maxRequestMemoryBytes());
    }
    if (!admission.hasMemory()) {
      counters.refusedForMemory();
      throw KuduException.serviceUnavailable(
          "The server's memory for rows is nearly full: %d bytes of %d, and %d under way; rows"
              + " are being flushed, try again later",
          admission.memoryUsedBytes(), admission.memoryLimitBytes(), admission.expectedBytes());
    }
  }

  /**
   * Admits an encoded entry that is not shared with other requests.
   *
   * @param term the only term in which the entry may be logged, or {@link WriteSubmission#ANY_TERM}
   */
  void addAlone(byte[] entry, long term, CompletableFuture<RequestResult> answer) {
    logAlone(alone(entry, entry.length, term, answer));
  }

  /**
   * Like {@link #addAlone}, for an entry with rows: it is refused as writes are while memory is
   * short.
   *
   * @param memoryBytes memory that the rows occupy once applied
   */
  void addRowsAlone(
      byte[] entry, long memoryBytes, long term, CompletableFuture<RequestResult> answer) {
    PendingRequest request = alone(entry, memoryBytes, term, answer);
    checkMemory(request);
    logAlone(request);
  }

  private static PendingRequest alone(
      byte[] entry, long memoryBytes, long term, CompletableFuture<RequestResult> answer) {
    PendingRequest request =
        new PendingRequest(
            WriteSubmission.NO_DEADLINE, term, entry.length, memoryBytes, null, answer);
    request.encoded(entry);
    return request;
  }

  private void logAlone(PendingRequest request) {
    admit(request);
    pump();
  }

  /**
   * Adds a step of a transaction, which is logged before writes that wait, also while they may not
   * be logged, and whatever the limits: the end of a transaction relieves them. The response fails
   * with SERVICE_UNAVAILABLE if the step is refused by its turn.
   */
  void addStep(QueuedStep step, CompletableFuture<RequestResult> answer) {
    PendingRequest request =
        new PendingRequest(
            WriteSubmission.NO_DEADLINE, WriteSubmission.ANY_TERM, 0, 0, null, answer);
    request.step(step);
    synchronized (this) {
      if (closed != null) {
        throw closed;
      }
      counters.begun(request.isWrite());
      steps.add(request);
    }
    pumpLater(); // this may be the apply thread
  }

  WriteCounters counters() {
    return counters;
  }

  long entries() {
    return entries.get();
  }

  long requests() {
    return requests.get();
  }

  /** The writes that wait for transactions now. */
  synchronized WaitingWrites waitingForTransactions() {
    long held =
        mayLog.getAsBoolean()
            ? 0
            : waiting.stream().map(PendingRequest.Piece::request).distinct().count();
    return new WaitingWrites(blocked.counts(), (int) held);
  }

  synchronized long admittedBytes() {
    return admittedBytes;
  }

  private void admit(PendingRequest request) {
    if (!admission.tryAdmit(request.bytes, request.memoryBytes)) {
      counters.refusedForMemory();
      throw KuduException.serviceUnavailable(
          "The server has %d bytes of writes under way, of at most %d; try again later",
          admission.usedBytes(), admission.limitBytes());
    }
    try {
      enqueue(request);
    } catch (KuduException e) {
      admission.release(request.bytes, request.memoryBytes);
      throw e;
    }
  }

  private synchronized void enqueue(PendingRequest request) {
    if (closed != null) {
      throw closed;
    }
    if (admittedBytes > 0 && admittedBytes + request.bytes > limits.maxQueuedBytes) {
      counters.refusedAtTabletLimit();
      throw KuduException.serviceUnavailable(
          "Tablet %s has %d bytes of writes under way, of at most %d; try again later",
          tabletId, admittedBytes, limits.maxQueuedBytes);
    }
    admittedBytes += request.bytes;
    counters.begun(request.isWrite());
    for (PendingRequest.Piece piece : request.pieces()) {
      waiting.add(piece);
      waitingBytes += piece.bytes();
    }
    assert isConsistent() : counts();
  }

  @GuardedBy("this")
  private void enqueueFirst(List<PendingRequest.Piece> pieces) {
    for (int i = pieces.size() - 1; i >= 0; i--) {
      waiting.addFirst(pieces.get(i));
      waitingBytes += pieces.get(i).bytes();
    }
  }

  /**
   * Whether the counts agree with the queue: no count is negative, and an empty queue has no bytes.
   */
  @GuardedBy("this")
  private boolean isConsistent() {
    return admittedBytes >= 0
        && waitingBytes >= 0
        && (waitingBytes == 0) == waiting.isEmpty()
        && underWay >= 0
        && underWay <= MAX_ENTRIES_UNDER_WAY;
  }

  @GuardedBy("this")
  private String counts() {
    return waiting.size()
        + " pieces of "
        + waitingBytes
        + " bytes wait, "
        + underWay
        + " entries are under way, "
        + admittedBytes
        + " bytes are admitted";
  }

  /**
   * Submits the entries that may be submitted now. Returns immediately if another thread is
   * submitting, because that thread submits them.
   */
  private void pump() {
    while (true) {
      List<PendingRequest.Piece> batch;
      List<PendingRequest> expired = new ArrayList<>(0);
      List<PendingRequest> refused = new ArrayList<>(0);
      synchronized (this) {
        if (submitting) {
          return;
        }
        batch = takeStep(refused);
        if (batch.isEmpty()) {
          batch = take(expired);
        }
        submitting = !batch.isEmpty();
      }
      refused.forEach(step -> fail(step, stepRefused()));
      expired.forEach(this::expire);
      if (batch.isEmpty()) {
        return;
      }
      try {
        send(batch);
      } finally {
        synchronized (this) {
          submitting = false;
        }
      }
    }
  }

  /**
   * Takes the pieces of the next entry from the queue. Returns an empty list if no entry may be
   * submitted yet.
   */
  @GuardedBy("this")
  private List<PendingRequest.Piece> take(List<PendingRequest> expired) {
    boolean turn =
        underWay == 0 || (underWay < MAX_ENTRIES_UNDER_WAY && waitingBytes >= limits.pipelineBytes);
    if (!turn || waiting.isEmpty()) {
      return List.of();
    }
    if (!mayLog.getAsBoolean()) {
      takeExpired(expired);
      setTimer();
      return List.of();
    }
    List<PendingRequest.Piece> batch = new ArrayList<>(Math.min(waiting.size(), 64));
    long bytes = 0;
    long now = nanoTime.getAsLong();
    while (!waiting.isEmpty()) {
      PendingRequest.Piece piece = waiting.peekFirst();
      if (piece.request().isSettled()) {
        drop(waiting.removeFirst());
        continue;
      }
      if (piece.request().isExpired(now)) {
        expired.add(piece.request());
        drop(waiting.removeFirst());
        continue;
      }
      if (!batch.isEmpty() && (isAlone(piece) || bytes + piece.bytes() > maxEntryBytes)) {
        break;
      }
      piece.request().taken(piece);
      batch.add(waiting.removeFirst());
      waitingBytes -= piece.bytes();
      bytes += piece.bytes();
      if (isAlone(piece)) {
        break;
      }
    }
    if (!batch.isEmpty()) {
      underWay++;
    }
    assert isConsistent() : counts();
    return batch;
  }

  /** Takes the next step of a transaction. Returns an empty list if none may be logged yet. */
  @GuardedBy("this")
  private List<PendingRequest.Piece> takeStep(List<PendingRequest> refused) {
    if (underWay >= MAX_ENTRIES_UNDER_WAY) {
      return List.of();
    }
    PendingRequest.Piece step = steps.take(refused);
    if (step == null) {
      if (!steps.isEmpty()) {
        setTimer();
      }
      return List.of();
    }
    step.request().taken(step);
    underWay++;
    return List.of(step);
  }

  /** Takes the requests whose deadline has passed, while none may be logged. */
  @GuardedBy("this")
  private void takeExpired(List<PendingRequest> expired) {
    long now = nanoTime.getAsLong();
    Iterator<PendingRequest.Piece> pieces = waiting.iterator();
    while (pieces.hasNext()) {
      PendingRequest.Piece piece = pieces.next();
      if (piece.request().isSettled() || piece.request().isExpired(now)) {
        expired.add(piece.request());
        pieces.remove();
        drop(piece);
      }
    }
  }

  @GuardedBy("this")
  private void setTimer() {
    if (!timerIsSet && !(waiting.isEmpty() && steps.isEmpty())) {
      timerIsSet = true;
      CompletableFuture.delayedExecutor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS, executor)
          .execute(this::lookAgain);
    }
  }

  private void lookAgain() {
    synchronized (this) {
      timerIsSet = false;
    }
    pump();
  }

  @GuardedBy("this")
  private void drop(PendingRequest.Piece piece) {
    waitingBytes -= piece.bytes();
  }

  private static boolean isAlone(PendingRequest.Piece piece) {
    return piece.content() == null;
  }

  private KuduException stepRefused() {
    return KuduException.serviceUnavailable(
        "The timestamp of the step is taken or has passed in tablet %s; try again", tabletId);
  }

  private void expire(PendingRequest request) {
    if (request.isSettled()) {
      return;
    }
    counters.timedOutInQueue();
    fail(
        request,
        KuduException.timedOut(
            "The write to tablet %s waited longer than its timeout allows", tabletId));
  }

  private void send(List<PendingRequest.Piece> batch) {
    PendingEntry entry;
    try {
      entry = encode(batch);
    } catch (RuntimeException | OutOfMemoryError e) {
      KuduException reason = RaftFailures.explain(tabletId, e);
      synchronized (this) {
        underWay--;
        assert isConsistent() : counts();
      }
      batch.forEach(piece -> fail(piece.request(), reason));
      return;
    }
    entries.incrementAndGet();
    entry.reached(CallTimeline.Stage.SUBMITTED);
    submit.accept(entry);
  }

  private PendingEntry encode(List<PendingRequest.Piece> batch) {
    byte[] alone = batch.get(0).request().encoded();
    if (alone != null) {
      return new PendingEntry(alone.clone(), 1, batch, this); // it may be submitted again
    }
    List<WriteRequest> contents = new ArrayList<>(batch.size());
    for (PendingRequest.Piece piece : batch) {
      contents.add(piece.content());
    }
    return new PendingEntry(LogEntry.encodeWrite(contents), contents.size(), batch, this);
  }

  @Override
  public void applied(PendingEntry entry, List<RequestResult> results) {
    next();
    for (int i = 0; i < entry.pieces.size(); i++) {
      PendingRequest.Piece piece = entry.pieces.get(i);
      if (isBlocked(piece, results.get(i))) {
        continue;
      }
      RequestResult result = piece.request().whole(piece, results.get(i));
      if (piece.isLast() && release(piece.request())) {
        piece.request().answer.complete(result);
      }
    }
    pumpLater(); // requests may have been put back
  }

  /**
   * Whether a transaction holds the key of a row of the piece, or of an earlier piece of its
   * request. If so, the request is logged again from that piece on when the transaction has ended,
   * or fails.
   */
  private boolean isBlocked(PendingRequest.Piece piece, RequestResult result) {
    PendingRequest request = piece.request();
    WriteRequest content = piece.content();
    KuduException failure;
    synchronized (this) {
      request.returned();
      boolean repeated = request.isRepeated(piece);
      if (repeated || !result.isBlocked() || content == null) {
        repeat(request);
        return repeated;
      }
      failure = closed != null ? closed : failureOfBlocked(content, result.blockedBy());
      removeWaiting(request);
      if (failure == null) {
        request.blockedAt(piece);
        blocked.add(result.blockedBy(), request);
      }
    }
    if (failure != null) {
      fail(request, failure);
    } else {
      expireLater(request);
    }
    return true;
  }

  /** Why the blocked request cannot wait for the transaction; null if it can. */
  private @Nullable KuduException failureOfBlocked(WriteRequest request, long holder) {
    if (request.isInTransaction() && holder < request.transaction()) {
      return new LockedByTransactionException(tabletId, request.transaction(), holder);
    }
    return request.id() == null && request.piece() > 0
        ? KuduException.serviceUnavailable(
            "Tablet %s: transaction %d holds the key of a row of the write, a part of which was"
                + " applied; try again later",
            tabletId, holder)
        : null;
  }

  @GuardedBy("this")
  private void removeWaiting(PendingRequest request) {
    Iterator<PendingRequest.Piece> pieces = waiting.iterator();
    while (pieces.hasNext()) {
      PendingRequest.Piece piece = pieces.next();
      if (piece.request() == request) {
        pieces.remove();
        waitingBytes -= piece.bytes();
      }
    }
  }

  private void expireLater(PendingRequest request) {
    if (request.deadlineNanos != WriteSubmission.NO_DEADLINE) {
      long nanos = Math.max(1, request.deadlineNanos - nanoTime.getAsLong());
      CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, executor)
          .execute(() -> expireBlocked(request));
    }
  }

  private void expireBlocked(PendingRequest request) {
    synchronized (this) {
      if (!request.isBlocked()) {
        return;
      }
      blocked.remove(request);
    }
    expire(request);
  }

  /** Logs the request again if nothing keeps it any more. */
  @GuardedBy("this")
  private void repeat(PendingRequest request) {
    List<PendingRequest.Piece> again = request.takePiecesToRepeat();
    if (!request.isSettled()) {
      enqueueFirst(again);
    }
  }

  /** Called when a transaction has ended: logs the requests again that it has blocked. */
  void transactionEnded(long transaction) {
    synchronized (this) {
      List<PendingRequest> requests = blocked.take(transaction);
      for (int i = requests.size() - 1; i >= 0; i--) { // each is put in front of the others
        requests.get(i).released();
        repeat(requests.get(i));
      }
    }
    pumpLater();
  }

  /** Called when a transaction was prepared again: steps and writes that waited may be logged. */
  void transactionPrepared() {
    pumpLater();
  }

  /** Fails the requests that transactions block, because this replica no longer leads. */
  void failBlocked(KuduException reason) {
    List<PendingRequest> all;
    synchronized (this) {
      all = blocked.takeAll();
    }
    all.forEach(request -> fail(request, reason));
    pumpLater(); // the writes that wait for a transaction fail when submitted
  }

  @Override
  public void failed(PendingEntry entry, KuduException reason) {
    next();
    Set<PendingRequest> told = new HashSet<>();
    for (PendingRequest.Piece piece : entry.pieces) {
      synchronized (this) {
        piece.request().returned();
      }
      if (told.add(piece.request())) {
        fail(piece.request(), reason);
      }
    }
  }

  /**
   * Called when an entry is done. Submits the next entry on another thread, because this is the
   * apply thread.
   */
  private void next() {
    synchronized (this) {
      underWay--;
      assert isConsistent() : counts();
    }
    pumpLater();
  }

  /** Submits entries on another thread if requests wait. */
  private void pumpLater() {
    boolean more;
    synchronized (this) {
      more = !waiting.isEmpty() || !steps.isEmpty();
    }
    if (more) {
      executor.execute(this::pump);
    }
  }

  @Override
  public void notValid(PendingEntry entry) {
    if (entry.pieces.get(0).request().isFirst()) {
      failed(entry, stepRefused());
      return;
    }
    KuduException over;
    synchronized (this) {
      over = closed;
      if (over == null) {
        putBack(entry);
      }
    }
    if (over != null) {
      failed(entry, over);
    } else {
      next();
    }
  }

  /** Puts the requests of an entry back, which have to be logged again. */
  @GuardedBy("this")
  private void putBack(PendingEntry entry) {
    PendingRequest step = entry.pieces.get(0).request();
    if (step.isStep()) {
      step.returned();
      step.takenBack();
      steps.addAgain(step);
      return;
    }
    for (int i = entry.pieces.size() - 1; i >= 0; i--) {
      PendingRequest.Piece piece = entry.pieces.get(i);
      PendingRequest request = piece.request();
      request.returned();
      removeWaiting(request);
      request.repeatFrom(piece);
      repeat(request);
    }
  }

  private void fail(PendingRequest request, KuduException reason) {
    if (release(request)) {
      request.answer.completeExceptionally(reason);
    }
  }

  /** Releases the bytes admitted for the request. Returns false if they were released before. */
  private boolean release(PendingRequest request) {
    if (!request.settle()) {
      return false;
    }
    synchronized (this) {
      admittedBytes -= request.bytes;
      assert isConsistent() : counts();
    }
    counters.ended(request.isWrite());
    admission.release(request.bytes, request.memoryBytes);
    return true;
  }

  /**
   * Rejects new requests and fails the waiting ones. Entries that are already in flight complete
   * normally.
   */
  void close(KuduException reason) {
    List<PendingRequest.Piece> rest;
    synchronized (this) {
      closed = reason;
      rest = steps.takeAll();
      rest.addAll(waiting);
      waiting.clear();
      waitingBytes = 0;
    }
    rest.forEach(piece -> fail(piece.request(), reason));
    failBlocked(reason);
  }
}
