#include "studyFlow.cuh"

#include "bandwidth.H"

#include <algorithm>

namespace lbmBench
{

namespace
{

struct scatterSlot
{
    float* slots;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        slots[n] = 1e-3f*(2*scattered(n) - 1);
    }
};

struct copyWord
{
    lbm::copyWord copy;

    LBM_HOST_DEVICE void operator()(unsigned i) const
    {
        copy(i);
    }
};

class timer
{
    cudaEvent_t event_;

public:

    timer()
    {
        lbmCuda(cudaEventCreate(&event_));
    }

    ~timer()
    {
        cudaEventDestroy(event_);
    }

    timer(const timer&) = delete;

    cudaEvent_t get() const
    {
        return event_;
    }
};

} // End anonymous namespace


void prepare(studyResults& results)
{
    if (results.onHost)
    {
        return;
    }
    lbmCuda(cudaSetDevice(results.device));

    constexpr unsigned nFloats = 1u << 30;
    constexpr unsigned n = nFloats*sizeof(float)/sizeof(lbm::wideWord);
    cudaArray<lbm::wideWord> from(n), to(n);
    forNodes(nFloats, scatterSlot{reinterpret_cast<float*>(from.data())});
    const auto copies = [&](int nCopies)
    {
        for (int i = 0; i < nCopies; ++i)
        {
            forNodes(n, copyWord{{from.data(), to.data()}});
        }
    };
    copies(10);
    results.copyBandwidth =
        2.0*sizeof(float)*nFloats*100/secondsOf([&]() { copies(100); });
}


void flow::scatter()
{
    for (const auto& copy : copies_)
    {
        if (copy.data())
        {
            forNodes(unsigned(nSlots()), scatterSlot{copy.data()});
        }
    }
    lbmCuda(cudaDeviceSynchronize());
}


void flow::checkAlive(const std::string& name) const
{
    std::vector<float> first(std::min<std::size_t>(nSlots(), 1 << 16));
    lbmCuda(cudaDeviceSynchronize());
    lbmCuda
    (
        cudaMemcpy
        (
            first.data(), front(), first.size()*sizeof(float),
            cudaMemcpyDeviceToHost
        )
    );
    double sum = 0;
    for (const float h : first)
    {
        sum += std::abs(h);
    }
    if (!(sum > 0 && sum < first.size()))
    {
        throw lbm::error("the flow of '" + name + "' has died or diverged");
    }
}


double secondsOf(const std::function<void()>& f, cudaStream_t stream)
{
    timer start, end;
    lbmCuda(cudaEventRecord(start.get(), stream));
    f();
    lbmCuda(cudaEventRecord(end.get(), stream));
    lbmCuda(cudaEventSynchronize(end.get()));
    float milliseconds = 0;
    lbmCuda(cudaEventElapsedTime(&milliseconds, start.get(), end.get()));
    return 1e-3*milliseconds;
}


double secondsPerStep(flow& f, int nSteps)
{
    const auto steps = [&](int n)
    {
        for (int i = 0; i < n; ++i)
        {
            f.step();
        }
    };
    steps(nSteps/10 + 1);
    return secondsOf([&]() { steps(nSteps); })/nSteps;
}


std::vector<float> randomPopulations(const periodicBox& box, int q)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(-1e-3f, 1e-3f);
    std::vector<float> h(std::size_t(box.nodes())*q);
    for (float& x : h)
    {
        x = any(random);
    }
    return h;
}


std::string plainReference::check(const std::string& name, flow& f)
{
    f.set(start_);
    for (int t = 0; t < nCheckSteps; ++t)
    {
        f.step();
    }
    const std::vector<float> h = f.get();
    if (bits_.empty())
    {
        bits_ = h;
    }

    double largest = 0, difference = 0;
    bool same = true;
    for (std::size_t s = 0; s < h.size(); ++s)
    {
        if (f.active(s % box_.nodes()))
        {
            largest = std::max(largest, std::abs(expected_[s]));
            const double d = std::abs(h[s] - expected_[s]);
            difference = std::max(difference, std::isfinite(d) ? d : HUGE_VAL);
            same = same && h[s] == bits_[s];
        }
    }

    std::ostringstream os;
    os.precision(1);
    os << std::scientific << difference/largest;
    if (!(difference < 2e-6*largest))
    {
        throw lbm::error
        (
            "variant '" + name + "' differs from the plain reference by "
          + os.str() + " of the largest population"
        );
    }
    return same ? "bits" : os.str();
}


studyRow measure
(
    studyResults& results,
    const std::string& part,
    const std::string& variant,
    double x,
    flow& f,
    double bytes,
    const std::string& check
)
{
    f.scatter();
    const double seconds = secondsPerStep(f, results.nSteps);
    f.checkAlive(variant);

    studyRow r;
    r.part = part;
    r.variant = variant;
    r.x = x;
    r.value = 1e-9*f.nUpdated()/seconds;
    r.bytes = bytes;
    r.ofCopy = 1e9*r.value*bytes/results.copyBandwidth;
    const kernelUse use = f.use();
    r.registers = use.registers;
    r.localBytes = use.localBytes;
    r.occupancy = use.occupancy;
    r.check = check;
    results.add(r);
    return r;
}

} // End namespace lbmBench
