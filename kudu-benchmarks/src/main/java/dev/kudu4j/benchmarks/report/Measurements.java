package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All numbers of a run: one per figure, side and round.
 *
 * <p>Ratios between two sides are computed for each round, and the median of the ratios is
 * reported. Since the sides take turns within a round, slow periods of the machine affect all
 * sides.
 *
 * @param <S> what is compared, such as {@link Side}
 */
public final class Measurements<S> {
  private final List<Figure> order;
  private final List<S> allSides;
  private final Map<Figure, Map<S, List<Double>>> values = new HashMap<>();

  /**
   * @param order possible figures, in the order of the table
   * @param sides possible sides, in the order of the table
   */
  public Measurements(List<? extends Figure> order, List<S> sides) {
    this.order = List.copyOf(order);
    this.allSides = List.copyOf(sides);
  }

  /** Measurements of servers and clients. */
  public static Measurements<Side> ofSides(List<? extends Figure> order) {
    return new Measurements<>(order, List.of(Side.values()));
  }

  public void add(S side, Figure figure, double value) {
    values
        .computeIfAbsent(figure, f -> new HashMap<>())
        .computeIfAbsent(side, s -> new ArrayList<>())
        .add(value);
  }

  /** The values of a figure for a side, in the order of the rounds; empty if there are none. */
  public double[] of(S side, Figure figure) {
    return values.getOrDefault(figure, Map.of()).getOrDefault(side, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** The median over the rounds of a figure for a side; NaN if there are no values. */
  public double median(S side, Figure figure) {
    double[] values = of(side, figure);
    return values.length == 0 ? Double.NaN : Samples.median(values);
  }

  /** The measured figures, in the order of the table. */
  public List<Figure> figures() {
    return order.stream().filter(values::containsKey).toList();
  }

  /** The sides that have values, in the order of the table. */
  public List<S> sides() {
    return allSides.stream()
        .filter(side -> values.values().stream().anyMatch(bySide -> bySide.containsKey(side)))
        .toList();
  }

  /**
   * The side with which the other sides are compared: the last of {@link #sides}; empty if only one
   * side ran.
   */
  public Optional<S> baseline() {
    List<S> sides = sides();
    return sides.size() < 2 ? Optional.empty() : Optional.of(sides.get(sides.size() - 1));
  }

  /** Whether the side is compared with another one. */
  public boolean hasRatio(S side) {
    return baseline().filter(baseline -> !baseline.equals(side)).isPresent();
  }

  /**
   * The median over the rounds of the ratio of the side's value to the baseline's value; empty
   * unless both have values.
   */
  public OptionalDouble ratio(S side, Figure figure) {
    Optional<S> baseline = baseline();
    return baseline.isEmpty() ? OptionalDouble.empty() : ratio(side, baseline.get(), figure);
  }

  /**
   * The median over the rounds of the ratio of the side's value to {@code baseline}'s value; empty
   * unless both have values.
   */
  public OptionalDouble ratio(S side, S baseline, Figure figure) {
    double[] own = of(side, figure);
    double[] other = of(baseline, figure);
    int rounds = Math.min(own.length, other.length);
    double[] ratios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ratios[round] = own[round] / other[round];
    }
    return rounds == 0 ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(ratios));
  }
}
