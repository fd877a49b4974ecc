#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkLightKit.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataNormals.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkStreamTracer.h>
#include <vtkTexture.h>
#include <vtkTubeFilter.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowedSincPolyDataFilter.h>

#include "volumeScene.H"
#include "offscreenWindow.H"
#include "planeScene.H"
#include "viewDisplay.H"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <future>
#include <mutex>
#include <sstream>
#include <thread>

namespace lbmView
{

namespace
{

constexpr std::uint8_t outside = planeValues::outside;
constexpr std::uint8_t fluid = planeValues::fluid;
constexpr std::uint8_t drawn = planeValues::drawn;
constexpr std::uint8_t body = 3;


// Kinds, with bodies told from the outside, which reaches all six faces
std::vector<std::uint8_t> classify(const volumeValues& box)
{
    const std::size_t n = sizeOf(box);
    std::vector<std::uint8_t> kinds(n, fluid);
    if (box.kind.empty())
    {
        return kinds;
    }

    const int size[3] = {box.nx, box.ny, box.nz};
    const std::size_t stride[3] =
        {1, std::size_t(box.nx), std::size_t(box.nx)*box.ny};
    std::vector<std::size_t> region;
    std::vector<bool> seen(n, false);

    for (std::size_t start = 0; start < n; ++start)
    {
        kinds[start] = box.kind[start] == fluid ? fluid
          : box.kind[start] == drawn ? drawn : kinds[start];

        if (seen[start] || box.kind[start] == fluid || box.kind[start] == drawn)
        {
            continue;
        }

        // All that hangs together
        unsigned faces = 0;
        region.assign(1, start);
        seen[start] = true;
        for (std::size_t next = 0; next < region.size(); ++next)
        {
            const std::size_t at = region[next];
            for (int axis = 0; axis < 3; ++axis)
            {
                const int c = int(at/stride[axis]%size[axis]);
                for (const int side : {0, 1})
                {
                    if (c == (side ? size[axis] - 1 : 0))
                    {
                        faces |= 1u << (2*axis + side);
                        continue;
                    }
                    const std::size_t other =
                        side ? at + stride[axis] : at - stride[axis];
                    if
                    (
                        !seen[other]
                     && box.kind[other] != fluid && box.kind[other] != drawn
                    )
                    {
                        seen[other] = true;
                        region.push_back(other);
                    }
                }
            }
        }
        for (const std::size_t at : region)
        {
            kinds[at] = faces == 63 ? outside : body;
        }
    }
    return kinds;
}


vtkSmartPointer<vtkImageData> imageOf(const volumeValues& box)
{
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(box.nx, box.ny, box.nz);
    image->SetSpacing(box.spacing, box.spacing, box.spacing);
    image->SetOrigin(box.origin);
    return image;
}


vtkSmartPointer<vtkFloatArray> arrayOf
(
    const char* name,
    std::vector<float>& values,
    int components
)
{
    auto array = vtkSmartPointer<vtkFloatArray>::New();
    array->SetName(name);
    array->SetNumberOfComponents(components);
    array->SetArray(values.data(), vtkIdType(values.size()), 1);
    return array;
}


// What a share of the values lies above
float aboveWhich(std::vector<float> values, double share)
{
    if (values.empty())
    {
        return 0;
    }
    const auto at = values.begin()
      + std::ptrdiff_t((1 - share)*(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}


void paint(vtkActor* actor, const colour& c)
{
    actor->GetProperty()->SetColor(c[0]/255.0, c[1]/255.0, c[2]/255.0);
}

} // End unnamed namespace


// * * * * * * * * * * * * * * * The Pipeline * * * * * * * * * * * * * * * * //

// What draws. All of it lives in the thread of the worker.
struct volumeScene::pipeline
{
    offscreenWindow window;
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkLookupTable> colours;

    viewPicture picture;
    double level = 0;

    // Surfaces of solids, and the box that they are of
    std::vector<std::uint8_t> kind;
    std::string shape;
    std::vector<std::uint8_t> kinds;
    vtkSmartPointer<vtkActor> bodies, obstacles;

    // Arrays that VTK points to
    std::vector<float> speed, iso, velocity;


    explicit pipeline(offscreenWindow::kind with)
    :
        window(with)
    {
        vtkRenderWindow* w = window.window();
        w->SetMultiSamples(4);
        w->AddRenderer(renderer);

        renderer->SetBackground(0.90, 0.92, 0.95);
        renderer->SetBackground2(1, 1, 1);
        renderer->GradientBackgroundOn();

        vtkNew<vtkLightKit> lights;
        lights->SetKeyLightIntensity(0.85);
        lights->AddLightsToRenderer(renderer);
    }


    vtkSmartPointer<vtkActor> add(vtkAlgorithmOutput* port, bool coloured)
    {
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputConnection(port);
        mapper->SetScalarVisibility(coloured);
        if (coloured)
        {
            mapper->SetScalarModeToUsePointFieldData();
            mapper->SelectColorArray("speed");
            mapper->SetLookupTable(colours);
            mapper->UseLookupTableScalarRangeOn();
            mapper->InterpolateScalarsBeforeMappingOn();
        }
        auto actor = vtkSmartPointer<vtkActor>::New();
        actor->SetMapper(mapper);
        actor->GetProperty()->SetAmbient(0.15);
        actor->GetProperty()->SetDiffuse(0.85);
        actor->GetProperty()->SetSpecular(0.15);
        actor->GetProperty()->SetSpecularPower(20);
        renderer->AddActor(actor);
        return actor;
    }


    //- The smoothed surface of one kind; null if there is none
    vtkSmartPointer<vtkActor> surfaceOf
    (
        const volumeValues& box,
        std::uint8_t which
    )
    {
        if (std::find(kinds.begin(), kinds.end(), which) == kinds.end())
        {
            return nullptr;
        }

        // A layer around it closes what reaches the faces of the box
        vtkNew<vtkImageData> image;
        image->SetDimensions(box.nx + 2, box.ny + 2, box.nz + 2);
        image->SetSpacing(box.spacing, box.spacing, box.spacing);
        image->SetOrigin
        (
            box.origin[0] - box.spacing,
            box.origin[1] - box.spacing,
            box.origin[2] - box.spacing
        );
        image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
        auto* is = static_cast<std::uint8_t*>(image->GetScalarPointer());
        std::fill_n(is, image->GetNumberOfPoints(), std::uint8_t(0));
        for (int k = 0; k < box.nz; ++k)
        {
            for (int j = 0; j < box.ny; ++j)
            {
                const std::uint8_t* from =
                    &kinds[(std::size_t(k)*box.ny + j)*box.nx];
                std::uint8_t* to = is + 1
                  + (std::size_t(k + 1)*(box.ny + 2) + j + 1)*(box.nx + 2);
                for (int i = 0; i < box.nx; ++i)
                {
                    to[i] = from[i] == which;
                }
            }
        }

        vtkNew<vtkFlyingEdges3D> contour;
        contour->SetInputData(image);
        contour->SetValue(0, 0.5);
        contour->ComputeNormalsOff();
        contour->ComputeScalarsOff();

        vtkNew<vtkWindowedSincPolyDataFilter> smooth;
        smooth->SetInputConnection(contour->GetOutputPort());
        smooth->SetNumberOfIterations(20);
        smooth->SetPassBand(0.07);
        smooth->BoundarySmoothingOff();
        smooth->NormalizeCoordinatesOn();

        vtkNew<vtkPolyDataNormals> normals;
        normals->SetInputConnection(smooth->GetOutputPort());
        normals->SetFeatureAngle(50);
        normals->ConsistencyOff();

        auto actor = add(normals->GetOutputPort(), false);
        actor->GetProperty()->BackfaceCullingOn();
        return actor;
    }


    void addSolids(const volumeValues& box, bool visible)
    {
        std::ostringstream now;
        now.precision(17);
        now << box.nx << ' ' << box.ny << ' ' << box.nz << ' ' << box.spacing
            << ' ' << box.origin[0] << ' ' << box.origin[1] << ' '
            << box.origin[2];

        if (now.str() != shape || box.kind != kind || kinds.empty())
        {
            for (const auto& actor : {bodies, obstacles})
            {
                if (actor)
                {
                    renderer->RemoveActor(actor);
                }
            }
            shape = now.str();
            kind = box.kind;
            kinds = classify(box);

            bodies = surfaceOf(box, body);
            if (bodies)
            {
                paint(bodies, {150, 152, 158});
            }
            obstacles = surfaceOf(box, drawn);
            if (obstacles)
            {
                paint(obstacles, planeScene::drawnColour);
            }
        }
        for (const auto& actor : {bodies, obstacles})
        {
            if (actor)
            {
                actor->SetVisibility(visible);
            }
        }
    }


    void addSurface(const volumeValues& box, const volumeLook& look)
    {
        const bool isQ = look.iso == volumeLook::surface::Q;
        iso = isQ ? qCriterion(box) : speed;

        if (look.level)
        {
            level = *look.level;
        }
        else
        {
            std::vector<float> inFluid;
            for (std::size_t n = 0; n < iso.size(); ++n)
            {
                if (isFluid(box, n) && std::isfinite(iso[n]))
                {
                    inFluid.push_back(iso[n]);
                }
            }
            // Vortices fill a small part of the flow
            constexpr double vortices = 0.02;
            level = isQ
              ? aboveWhich(std::move(inFluid), vortices)
              : 0.5*aboveWhich(std::move(inFluid), 0.002);
        }

        // Solids are below any level, so that surfaces end at them
        const float low = float(std::min(0.0, level - 1e-3*std::abs(level)));
        for (std::size_t n = 0; n < iso.size(); ++n)
        {
            if (!isFluid(box, n) || !std::isfinite(iso[n]))
            {
                iso[n] = low;
            }
        }
        // The whole field at one level has no surface
        const bool flat = isQ && !look.level && level <= 0;
        if (!std::isfinite(level) || flat)
        {
            return;
        }

        auto image = imageOf(box);
        image->GetPointData()->SetScalars(arrayOf("iso", iso, 1));
        image->GetPointData()->AddArray(arrayOf("speed", speed, 1));

        vtkNew<vtkFlyingEdges3D> contour;
        contour->SetInputData(image);
        contour->SetInputArrayToProcess
            (0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "iso");
        contour->SetValue(0, level);
        contour->ComputeNormalsOn();
        contour->ComputeScalarsOff();
        contour->InterpolateAttributesOn();
        contour->Update();
        if (contour->GetOutput()->GetNumberOfCells() > 0)
        {
            add(contour->GetOutputPort(), true);
        }
    }


    void addSlice
    (
        const volumeValues& box,
        const volumeSlice& slice,
        const colourTable& table,
        const colourRange& range
    )
    {
        const int axis = std::clamp(slice.axis, 0, 2);
        const int a = (axis + 1)%3, b = (axis + 2)%3;
        const int size[3] = {box.nx, box.ny, box.nz};
        const std::size_t stride[3] =
            {1, std::size_t(box.nx), std::size_t(box.nx)*box.ny};
        const double at =
            std::round((slice.position - box.origin[axis])/box.spacing);
        if (!(at >= 0 && at < size[axis]))
        {
            return;
        }

        vtkNew<vtkImageData> image;
        image->SetDimensions(size[a], size[b], 1);
        image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
        auto* rgb = static_cast<std::uint8_t*>(image->GetScalarPointer());

        // A picture on rectangles, one for each row of fluid
        vtkNew<vtkPoints> points;
        vtkNew<vtkFloatArray> where;
        where->SetNumberOfComponents(2);
        vtkNew<vtkCellArray> cells;
        const auto corner = [&](int i, int j)
        {
            double p[3];
            p[axis] = box.origin[axis] + at*box.spacing;
            p[a] = box.origin[a] + (i - 0.5)*box.spacing;
            p[b] = box.origin[b] + (j - 0.5)*box.spacing;
            where->InsertNextTuple2(double(i)/size[a], double(j)/size[b]);
            cells->InsertCellPoint(points->InsertNextPoint(p));
        };

        for (int j = 0; j < size[b]; ++j)
        {
            int start = -1;
            for (int i = 0; i < size[a]; ++i, rgb += 3)
            {
                const std::size_t n =
                    std::size_t(at)*stride[axis] + i*stride[a] + j*stride[b];
                const colour& c = std::isfinite(speed[n])
                  ? table[range(speed[n])] : planeScene::notFiniteColour;
                std::copy(c.begin(), c.end(), rgb);

                const bool isIn = isFluid(box, n);
                if (isIn && start < 0)
                {
                    start = i;
                }
                if (start >= 0 && (!isIn || i == size[a] - 1))
                {
                    const int end = isIn ? i + 1 : i;
                    cells->InsertNextCell(4);
                    corner(start, j);
                    corner(end, j);
                    corner(end, j + 1);
                    corner(start, j + 1);
                    start = -1;
                }
            }
        }
        if (cells->GetNumberOfCells() == 0)
        {
            return;
        }
        vtkNew<vtkPolyData> rectangles;
        rectangles->SetPoints(points);
        rectangles->SetPolys(cells);
        rectangles->GetPointData()->SetTCoords(where);

        vtkNew<vtkTexture> texture;
        texture->SetInputData(image);
        texture->InterpolateOn();
        texture->SetColorModeToDirectScalars();

        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputData(rectangles);
        vtkNew<vtkActor> actor;
        actor->SetMapper(mapper);
        actor->SetTexture(texture);
        actor->GetProperty()->LightingOff();
        renderer->AddActor(actor);
    }


    void addStreamlines(const volumeValues& box, const volumeLook& look)
    {
        velocity = box.U;
        for (std::size_t n = 0; n < speed.size(); ++n)
        {
            if (!isFluid(box, n) || !std::isfinite(speed[n]))
            {
                std::fill_n(&velocity[3*n], 3, 0.0f);
            }
        }
        auto image = imageOf(box);
        image->GetPointData()->SetVectors(arrayOf("U", velocity, 3));
        image->GetPointData()->AddArray(arrayOf("speed", speed, 1));

        vtkNew<vtkPoints> points;
        for (const volumeSeeds& seeds : look.streamlines)
        {
            const int n0 = std::max(seeds.count[0], 1);
            const int n1 = std::max(seeds.count[1], 1);
            for (int j = 0; j < n1; ++j)
            {
                for (int i = 0; i < n0; ++i)
                {
                    const double s = n0 > 1 ? i/(n0 - 1.0) : 0.5;
                    const double t = n1 > 1 ? j/(n1 - 1.0) : 0.5;
                    double p[3];
                    for (int d = 0; d < 3; ++d)
                    {
                        p[d] = seeds.corner[d]
                          + s*seeds.edge[0][d] + t*seeds.edge[1][d];
                    }
                    points->InsertNextPoint(p);
                }
            }
        }
        vtkNew<vtkPolyData> seeds;
        seeds->SetPoints(points);

        const double length =
            box.spacing*std::hypot(box.nx, box.ny, box.nz);
        vtkNew<vtkStreamTracer> tracer;
        tracer->SetInputData(image);
        tracer->SetSourceData(seeds);
        tracer->SetIntegratorTypeToRungeKutta2();
        tracer->SetIntegrationDirectionToBoth();
        tracer->SetIntegrationStepUnit(vtkStreamTracer::CELL_LENGTH_UNIT);
        tracer->SetInitialIntegrationStep(0.4);
        tracer->SetMaximumPropagation(3*length);
        tracer->SetTerminalSpeed(1e-4*std::max(look.max, 1e-30));
        tracer->SetComputeVorticity(false);

        vtkNew<vtkTubeFilter> tubes;
        tubes->SetInputConnection(tracer->GetOutputPort());
        tubes->SetRadius(0.0018*length);
        tubes->SetNumberOfSides(6);
        tubes->Update();
        if (tubes->GetOutput()->GetNumberOfCells() > 0)
        {
            add(tubes->GetOutputPort(), true);
        }
    }


    //- Edges of the box
    void addOutline(const double bounds[6])
    {
        vtkNew<vtkOutlineSource> outline;
        outline->SetBounds(bounds);
        auto actor = add(outline->GetOutputPort(), false);
        actor->GetProperty()->LightingOff();
        paint(actor, {140, 144, 152});
    }


    void aim(const volumeLook& look, const double bounds[6])
    {
        const int up = std::clamp(look.up, 0, 2);
        const int right = up == 0 ? 1 : 0;
        const int towards = 3 - up - right;

        // Right, up and towards the viewer are a right-handed system
        const double sign = (up - right + 3)%3 == 1 ? 1 : -1;
        const double radian = M_PI/180;
        const double az = look.azimuth*radian;
        const double el = std::clamp(look.elevation, -89.0, 89.0)*radian;

        double axis[3] = {0, 0, 0}, view[3] = {0, 0, 0}, middle[3], position[3];
        axis[up] = 1;
        view[right] = std::cos(el)*std::sin(az);
        view[towards] = sign*std::cos(el)*std::cos(az);
        view[up] = std::sin(el);
        for (int d = 0; d < 3; ++d)
        {
            middle[d] = 0.5*(bounds[2*d] + bounds[2*d + 1]);
            position[d] = middle[d] + view[d];
        }

        vtkCamera* camera = renderer->GetActiveCamera();
        camera->SetViewAngle(24);
        camera->SetFocalPoint(middle);
        camera->SetPosition(position);
        camera->SetViewUp(axis);

        // Axes of the picture
        double matrix[3][3];
        camera->OrthogonalizeViewUp();
        double* u = camera->GetViewUp();
        for (int d = 0; d < 3; ++d)
        {
            matrix[2][d] = view[d];
            matrix[1][d] = u[d];
        }
        for (int d = 0; d < 3; ++d)
        {
            const int e = (d + 1)%3, f = (d + 2)%3;
            matrix[0][d] =
                matrix[1][e]*matrix[2][f] - matrix[1][f]*matrix[2][e];
        }
        const int* size = window.window()->GetSize();
        const double tanV = std::tan(0.5*24*radian);
        const double tanH = tanV*size[0]/std::max(size[1], 1);
        double corners[8][3], largest = 0;
        for (int n = 0; n < 8; ++n)
        {
            double* q = corners[n];
            double square = 0;
            for (int r = 0; r < 3; ++r)
            {
                q[r] = 0;
                for (int d = 0; d < 3; ++d)
                {
                    q[r] += matrix[r][d]
                       *(bounds[2*d + (n >> d & 1)] - middle[d]);
                }
                square += q[r]*q[r];
            }
            largest = std::max(largest, std::sqrt(square));
        }

        // Shifted and moved until the corners touch the edges of the picture
        double shift[2] = {0, 0}, distance = largest/std::sin(12*radian);
        for (int iteration = 0; iteration < 8; ++iteration)
        {
            const double tangent[2] = {tanH, tanV};
            double half = 0;
            for (int r = 0; r < 2; ++r)
            {
                double least = 1e30, most = -1e30;
                for (const auto& q : corners)
                {
                    const double depth =
                        std::max(distance - q[2], 0.02*largest);
                    const double place = (q[r] - shift[r])/(depth*tangent[r]);
                    least = std::min(least, place);
                    most = std::max(most, place);
                }
                shift[r] += 0.5*(least + most)*distance*tangent[r];
                half = std::max(half, 0.5*(most - least));
            }
            distance = largest + (distance - largest)*half*1.09;
        }
        for (int d = 0; d < 3; ++d)
        {
            const double across =
                shift[0]*matrix[0][d] + shift[1]*matrix[1][d];
            position[d] = middle[d] + across + distance*view[d];
            middle[d] += across;
        }
        camera->SetFocalPoint(middle);
        camera->SetPosition(position);
        camera->Zoom(std::clamp(look.zoom, 0.05, 50.0));
        renderer->ResetCameraClippingRange();
    }


    //- Where a point is in the picture
    void project(const double point[3], double& x, double& y)
    {
        renderer->SetWorldPoint(point[0], point[1], point[2], 1);
        renderer->WorldToDisplay();
        const double* p = renderer->GetDisplayPoint();
        x = p[0];
        y = window.window()->GetSize()[1] - p[1];
    }


    void draw(const volumeValues& box, const volumeLook& look)
    {
        const std::size_t n = sizeOf(box);
        if
        (
            n == 0
         || box.U.size() != 3*n
         || (!box.kind.empty() && box.kind.size() != n)
        )
        {
            std::ostringstream text;
            text<< "A box of " << box.nx << " x " << box.ny << " x " << box.nz
                << " has " << box.U.size() << " components of U and "
                << box.kind.size() << " kinds";
            throw viewError(text.str());
        }
        const colourTable& table = colourMap(look.colours);
        const colourRange range(look.min, look.max);

        colours->SetNumberOfTableValues(256);
        for (int i = 0; i < 256; ++i)
        {
            const colour& c = table[i];
            colours->SetTableValue(i, c[0]/255.0, c[1]/255.0, c[2]/255.0, 1);
        }
        // An empty range has the middle colour, as in planes
        const bool some = range.shift == 0;
        colours->SetTableRange
        (
            some ? look.min : -1e30,
            some ? look.max : 1e30
        );

        speed.resize(n);
        for (std::size_t i = 0; i < n; ++i)
        {
            const float* u = &box.U[3*i];
            speed[i] = isFluid(box, i)
              ? std::sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2]) : 0;
        }

        // Solids are kept from picture to picture, the rest is made anew
        for (vtkProp* actor : temporary(renderer->GetViewProps()))
        {
            if (actor != bodies && actor != obstacles)
            {
                renderer->RemoveViewProp(actor);
            }
        }

        double bounds[6];
        const int size[3] = {box.nx, box.ny, box.nz};
        for (int d = 0; d < 3; ++d)
        {
            bounds[2*d] = box.origin[d] - 0.5*box.spacing;
            bounds[2*d + 1] = bounds[2*d] + size[d]*box.spacing;
        }

        addSolids(box, look.solids);
        addOutline(bounds);
        level = 0;
        if (look.iso != volumeLook::surface::none)
        {
            addSurface(box, look);
        }
        for (const volumeSlice& slice : look.slices)
        {
            addSlice(box, slice, table, range);
        }
        if (!look.streamlines.empty())
        {
            addStreamlines(box, look);
        }

        // The field in the picture
        const pictureFrame frame(look, false);
        vtkRenderWindow* w = window.window();
        const int width = frame.maxWidth, height = frame.maxHeight;
        w->SetSize(width, height);
        aim(look, bounds);
        w->Render();
        vtkNew<vtkUnsignedCharArray> pixels;
        w->GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0);

        picture = blankPicture
        (
            width + frame.left + frame.right,
            height + frame.top + frame.bottom
        );
        if (pixels->GetNumberOfValues() < 3*vtkIdType(width)*height)
        {
            throw viewError("OpenGL gave no picture");
        }
        for (int y = 0; y < height; ++y)
        {
            std::memcpy
            (
                &picture.rgb
                [
                    3*(std::size_t(frame.top + y)*picture.width + frame.left)
                ],
                pixels->GetPointer(3*vtkIdType(height - 1 - y)*width),
                3*std::size_t(width)
            );
        }

        drawAxes(frame, bounds);
        frame.title(picture, look, frame.left);
        frame.legend
        (
            picture,
            look,
            frame.left + width + int(1.6*frame.text),
            frame.top,
            std::min(height, 24*frame.text)
        );
        drawLevel(frame, look);
        frame.status(picture, look);
        frame.help(picture, look);
    }


    //- Names of the axes at the edges from the first corner
    void drawAxes(const pictureFrame& frame, const double bounds[6])
    {
        const double corner[3] = {bounds[0], bounds[2], bounds[4]};
        double mx, my;
        const double middle[3] =
        {
            0.5*(bounds[0] + bounds[1]),
            0.5*(bounds[2] + bounds[3]),
            0.5*(bounds[4] + bounds[5])
        };
        project(middle, mx, my);
        textStyle style = frame.style(1, true);
        style.ink = {90, 94, 102};

        for (int d = 0; d < 3; ++d)
        {
            double p[3] = {corner[0], corner[1], corner[2]};
            p[d] = middle[d];
            double x, y;
            project(p, x, y);
            const double away = std::max(std::hypot(x - mx, y - my), 1.0);
            x += frame.text*(x - mx)/away;
            y += frame.text*(y - my)/away;
            const double margin = frame.text;
            if
            (
                x > margin && x < frame.maxWidth - margin
             && y > margin && y < frame.maxHeight - margin
            )
            {
                drawText
                (
                    picture,
                    std::string(1, char('x' + d)),
                    frame.left + x,
                    frame.top + y + 0.3*frame.text,
                    style,
                    0.5
                );
            }
        }
    }


    //- Which surface is seen
    void drawLevel(const pictureFrame& frame, const volumeLook& look)
    {
        if (look.iso == volumeLook::surface::none)
        {
            return;
        }
        char text[64];
        std::snprintf
        (
            text,
            sizeof(text),
            look.iso == volumeLook::surface::Q
          ? "Q = %.3g 1/s\xc2\xb2" : "|U| = %.3g m/s",
            level
        );
        drawText
        (
            picture,
            text,
            frame.left + frame.maxWidth,
            frame.top - 0.8*frame.text,
            frame.style(),
            1
        );
    }


    static std::vector<vtkProp*> temporary(vtkPropCollection* all)
    {
        std::vector<vtkProp*> props;
        vtkCollectionSimpleIterator at;
        all->InitTraversal(at);
        while (vtkProp* prop = all->GetNextProp(at))
        {
            props.push_back(prop);
        }
        return props;
    }
};


// A thread for OpenGL, whose contexts belong to threads
struct volumeScene::worker
{
    std::mutex mutex;
    std::condition_variable changed;
    std::function<void()> task;
    bool ending = false;
    std::unique_ptr<pipeline> draws;
    std::thread thread{[this]() { work(); }};

    void work()
    {
        std::unique_lock<std::mutex> lock(mutex);
        while (true)
        {
            changed.wait(lock, [this]() { return task || ending; });
            if (!task)
            {
                return;
            }
            const std::function<void()> now = std::move(task);
            task = nullptr;
            lock.unlock();
            now();
            lock.lock();
        }
    }

    //- Do it there, and throw here
    void run(const std::function<void()>& what)
    {
        std::packaged_task<void()> packaged(what);
        std::future<void> done = packaged.get_future();
        {
            std::lock_guard<std::mutex> lock(mutex);
            task = [&packaged]() { packaged(); };
        }
        changed.notify_all();
        done.get();
    }

    ~worker()
    {
        run([this]() { draws.reset(); });
        {
            std::lock_guard<std::mutex> lock(mutex);
            ending = true;
        }
        changed.notify_all();
        thread.join();
    }
};


// * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * * //

volumeScene::volumeScene(renderer with)
:
    worker_(std::make_unique<worker>())
{
    const auto kind = static_cast<offscreenWindow::kind>(with);
    worker_->run
    (
        [&]() { worker_->draws = std::make_unique<pipeline>(kind); }
    );
}


volumeScene::~volumeScene() = default;


const viewPicture& volumeScene::draw
(
    const volumeValues& box,
    const volumeLook& look
)
{
    worker_->run([&]() { worker_->draws->draw(box, look); });
    return worker_->draws->picture;
}


double volumeScene::level() const
{
    return worker_->draws->level;
}


std::string volumeScene::where() const
{
    return worker_->draws->window.name();
}

} // End namespace lbmView
