package dev.kudu4j.tserver.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyLocksTest {
  private KeyLocks locks = new KeyLocks(Runnable::run);

  private static ByteString key(int number) {
    return ByteString.copyFromUtf8("k" + number);
  }

  private KeyLocks.Lease request(int... keys) {
    return locks.request(IntStream.of(keys).mapToObj(KeyLocksTest::key).toList());
  }

  @Test
  void requestsOfAKeyGetItInTheirOrder() {
    KeyLocks.Lease first = request(1, 2);
    KeyLocks.Lease other = request(3);
    KeyLocks.Lease second = request(2, 3);
    KeyLocks.Lease third = request(2);
    assertThat(first.granted()).isCompleted();
    assertThat(other.granted()).isCompleted();
    assertThat(second.granted()).isNotDone();
    first.release();
    assertThat(second.granted()).isNotDone();
    assertThat(locks.isLocked(key(1))).isFalse();
    assertThat(locks.isLocked(key(2))).isTrue();
    other.release();
    assertThat(second.granted()).isCompleted();
    assertThat(third.granted()).isNotDone();
    second.release();
    assertThat(third.granted()).isCompleted();
    third.release();
    assertThat(locks.isLocked(key(2))).isFalse();
  }

  /** Those behind it still wait for those before it. */
  @Test
  void aRequestMayGiveUp() {
    KeyLocks.Lease first = request(1);
    KeyLocks.Lease second = request(1);
    KeyLocks.Lease third = request(1);
    second.release();
    assertThat(third.granted()).isNotDone();
    first.release();
    assertThat(third.granted()).isCompleted();
    third.release();
    assertThat(locks.isLocked(key(1))).isFalse();
  }

  @Test
  void manyRequestsMayGiveUp() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      locks = new KeyLocks(executor);
      KeyLocks.Lease first = request(1);
      for (int i = 0; i < 50_000; i++) {
        request(1).release();
      }
      KeyLocks.Lease last = request(1);
      assertThat(last.granted()).isNotDone();
      first.release();
      last.granted().get(1, TimeUnit.MINUTES);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void threadsNeverHaveAKeyAtTheSameTime() throws Exception {
    int threads = 4;
    int rounds = 5_000;
    Map<ByteString, Integer> holders = new ConcurrentHashMap<>();
    AtomicBoolean twice = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(threads * rounds);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    locks = new KeyLocks(executor);
    try {
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        executor.execute(
            () -> {
              Random random = new Random(number);
              for (int round = 0; round < rounds; round++) {
                List<ByteString> keys = new ArrayList<>();
                for (int i = 0; i <= random.nextInt(4); i++) {
                  keys.add(key(random.nextInt(8)));
                }
                List<ByteString> distinct = keys.stream().distinct().toList();
                KeyLocks.Lease lease = locks.request(keys);
                lease
                    .granted()
                    .thenRun(
                        () -> {
                          for (ByteString key : distinct) {
                            if (holders.putIfAbsent(key, number) != null) {
                              twice.set(true);
                            }
                          }
                          distinct.forEach(holders::remove);
                          lease.release();
                          done.countDown();
                        });
              }
            });
      }
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      executor.shutdownNow();
    }
    assertThat(twice).isFalse();
    assertThat(IntStream.range(0, 8).anyMatch(i -> locks.isLocked(key(i)))).isFalse();
  }
}
